"""Where the squares of a picture lie, for a page that lets one click on them: the same geometry as the SVG's."""

from __future__ import annotations

from typing import Any

from referee.core.diagram import Diagram
from referee.drawing.svg import Canvas


def lattice_facts(diagram: Diagram) -> dict[str, Any]:
    """JSON values in units of the SVG's viewBox: its `box`, the middle of the first square (`first`, upper left), the
    `pitch` from one to the next, `reach` from a middle to its edge; `columns` and `rows` as their names are put
    together; `holes` that are no squares; and what stands where."""
    sheet = Canvas(diagram)
    return {
        "box": [sheet.width, sheet.height],
        "first": list(sheet.at((0, 0))),
        "pitch": sheet.pitch,
        "reach": sheet.reach,
        "lattice": diagram.lattice,
        "columns": list(diagram.columns),
        "rows": list(diagram.rows),
        "holes": sorted(square for square, tint in diagram.tints if tint == "hole"),
        "tokens": {
            token.square: {
                "text": token.text, "name": token.name, "colour": token.colour, "shape": token.shape,
                "owner": token.owner, "ringed": token.ringed,
            }
            for token in diagram.tokens
        },
    }  # fmt: skip

// One Piece For Two on the page that writes mails: a piece is two clicks, its red half and its blue half. Facts come from
// games/onepiece/views.py.
(function () {
  "use strict";
  const { ahead, comment, commented } = window.boardForm;

  const LOOKS = {
    red: { text: "R", name: "red half of your piece", colour: "red", shape: "disc", owner: "" },
    blue: { text: "B", name: "blue half of your piece", colour: "blue", shape: "square", owner: "" },
  };
  const place = (cell) => [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
  const name = (column, row) => String.fromCharCode(97 + column) + (row + 1);

  // The pairs of cells on which a piece may be put down, once the lifted one is away; it may not come back to its columns.
  function locations(grid, lifted) {
    const heights = new Array(grid.cols).fill(0);
    for (const piece of grid.pieces) if (piece !== lifted) for (const [column, row] of piece.map(place)) heights[column] = Math.max(heights[column], row + 1);
    const closed = new Set(lifted ? lifted.map((cell) => place(cell)[0]) : []);
    const found = [];
    for (let column = 0; column < grid.cols; column += 1) {
      if (closed.has(column)) continue;
      const height = heights[column];
      if (height <= grid.rows - 2) found.push([name(column, height), name(column, height + 1)]);
      if (column + 1 < grid.cols && !closed.has(column + 1) && heights[column + 1] === height && height < grid.rows) found.push([name(column, height), name(column + 1, height)]);
    }
    return found;
  }

  // Pieces with nothing above either half.
  function free(grid) {
    const taken = new Set(grid.pieces.flat());
    return grid.pieces.filter((piece) => piece.every((cell) => {
      const [column, row] = place(cell);
      const above = name(column, row + 1);
      return !taken.has(above) || piece.includes(above);
    }));
  }

  const owner = (grid, cell) => grid.pieces.find((piece) => piece.includes(cell));
  const empty = { lifted: null, red: "", blue: "" };

  // What the clicks on a grid have come to, and what the next one may be.
  function step(grid, plan) {
    const targets = {};
    const lifts = grid.box === 0;
    const pairs = lifts && !plan.lifted ? [] : locations(grid, plan.lifted);
    if (lifts) for (const piece of free(grid)) for (const cell of piece) targets[cell] = { look: "pick", says: "lifts this piece" };
    for (const pair of pairs) for (const cell of pair) if (!plan.red || plan.blue) targets[cell] = { look: "go", says: "the red half goes here" };
    if (plan.red && !plan.blue) {
      for (const pair of pairs) if (pair.includes(plan.red)) targets[pair[0] === plan.red ? pair[1] : pair[0]] = { look: "go", says: "the blue half goes here" };
      targets[plan.red] = { look: "pick", says: "takes it back" };
    }
    const cells = {};
    for (const cell of plan.lifted || []) cells[cell] = null;
    if (plan.red) cells[plan.red] = LOOKS.red;
    if (plan.blue) cells[plan.blue] = LOOKS.blue;
    const from = plan.lifted ? "R" + plan.lifted[0] + "B" + plan.lifted[1] + ">" : "";
    return {
      targets,
      cells,
      joints: plan.red && plan.blue ? [[plan.red, plan.blue]] : [],
      chosen: [plan.red, plan.blue].filter(Boolean),
      move: "Move: " + (plan.red && plan.blue ? from + "R" + plan.red + "B" + plan.blue : ""),
      how: lifts && !plan.lifted ? "The box is empty: click a piece to lift." : plan.red && !plan.blue ? "Click the cell of its blue half." : "Click the cell of the piece's red half.",
      lacks: plan.red && plan.blue ? [] : ["put a piece down"],
    };
  }

  function clicked(grid, plan, cell) {
    const there = owner(grid, cell);
    const goes = locations(grid, plan.lifted).some((pair) => pair.includes(cell));
    if (grid.box === 0 && there && !(plan.lifted && goes)) return { ...plan, lifted: there === plan.lifted ? null : there, red: "", blue: "" };
    if (plan.red === cell && !plan.blue) return { ...plan, red: "" };
    if (plan.red && !plan.blue) return { ...plan, blue: cell };
    return { ...plan, red: cell, blue: "" };
  }

  const set = (c, plan, id, value) => ({ ...plan, [id]: value });

  const Move = {
    begin: () => ({ ...empty, claim: "", offer: false, comment: "" }),
    shown(c, plan) {
      const on = step(c.facts.grids[""], plan);
      const offers = c.facts.offers.includes(c.seat) && !plan.claim;
      return {
        board: "",
        ...on,
        lines: [on.move, ...(plan.claim ? ["Claim: " + plan.claim] : []), ...(plan.offer && offers ? ["Offer: draw"] : []), ...commented(plan.comment)],
        controls: [
          ...(c.facts.claims.length ? [{ id: "claim", kind: "pick", label: "Claim that your colour wins", value: plan.claim, options: [["", "no claim"], ...c.facts.claims.map((n) => [String(n), "in " + n + " moves"])] }] : []),
          ...(offers ? [{ id: "offer", kind: "check", label: "Offer a draw with it", value: plan.offer }] : []),
          comment(plan),
        ],
      };
    },
    square: (c, plan, cell) => clicked(c.facts.grids[""], plan, cell),
    control: set,
  };

  // The grid after a move.
  function laid(c, plan) {
    const grid = c.facts.grids[""];
    const pieces = [...grid.pieces.filter((piece) => piece !== plan.lifted), [plan.red, plan.blue]];
    const after = { ...grid, pieces, box: grid.box - (plan.lifted ? 0 : 1) };
    return { c: { ...c, facts: { ...c.facts, grids: { ...c.facts.grids, "": after } } }, gone: [] };
  }

  // A move of a demonstration, on the grid that is shown.
  const Shown = (givesUp) => ({
    begin: () => ({ ...empty, over: false, comment: "" }),
    shown(c, plan) {
      const on = step(c.facts.grids[""], plan);
      return {
        board: "",
        ...on,
        targets: plan.over ? {} : on.targets,
        lacks: plan.over ? [] : on.lacks,
        lines: [plan.over ? "Give up" : on.move, ...commented(plan.comment)],
        controls: [...(givesUp ? [{ id: "over", kind: "check", label: "Give up the claim", value: plan.over }] : []), comment(plan)],
      };
    },
    square: (c, plan, cell) => clicked(c.facts.grids[""], plan, cell),
    control: set,
  });

  // The claimer says which ply he plays otherwise: the grid before it is the one to click on.
  const Evidence = {
    begin: (c) => ({ ...empty, ply: c.facts.plies[0] || 0, over: false, comment: "" }),
    shown(c, plan) {
      const on = step(c.facts.grids["ply-" + plan.ply] || c.facts.grids[""], plan);
      return {
        board: c.facts.plies.length ? "ply-" + plan.ply : "",
        ...on,
        targets: plan.over ? {} : on.targets,
        lacks: plan.over ? [] : on.lacks,
        lines: [...(plan.over ? ["Give up"] : ["Demonstrate: " + plan.ply, on.move]), ...commented(plan.comment)],
        controls: [
          { id: "ply", kind: "pick", label: "The move that you play otherwise", value: String(plan.ply), options: c.facts.plies.map((ply) => [String(ply), "move " + ply]) },
          { id: "over", kind: "check", label: "Give up the claim", value: plan.over },
          comment(plan),
        ],
      };
    },
    square: (c, plan, cell) => clicked(c.facts.grids["ply-" + plan.ply], plan, cell),
    control: (c, plan, id, value) => (id === "ply" ? { ...plan, ...empty, ply: Number(value) } : set(c, plan, id, value)),
  };

  const one = (key, label, options) => ({
    begin: () => ({ value: "", comment: "" }),
    shown: (c, plan) => ({
      lines: [key + ": " + plan.value, ...commented(plan.comment)],
      controls: [{ id: "value", kind: "choice", label, value: plan.value, options }, comment(plan)],
      lacks: plan.value ? [] : ["choose"],
    }),
    control: set,
  });
  const said = (line) => ({
    begin: () => ({ comment: "" }),
    shown: (c, plan) => ({ board: "", how: "", lines: [line, ...commented(plan.comment)], controls: [comment(plan)] }),
    control: set,
  });
  const Comment = {
    begin: () => ({ comment: "" }),
    shown: (c, plan) => ({ lines: plan.comment.trim() ? commented(plan.comment) : ["Comment:"], controls: [{ ...comment(plan), label: "Your words" }], lacks: plan.comment.trim() ? [] : ["write something"] }),
    control: set,
  };

  window.boardForm.game("onepiece", {
    Move,
    If: ahead(Move, laid),
    Demonstrate: Shown(true),
    Reply: Shown(false),
    Evidence,
    Colours: one("Colours", "The colour of the player who begins", [["red", "red"], ["blue", "blue"]]),
    Edge: one("Edge", "The edge on which the pieces lie", ["south", "north", "east", "west"].map((edge) => [edge, edge])),
    Offer: said("Offer: draw"),
    Accept: said("Accept: draw"),
    Resign: said("Resign"),
    Comment,
  });
})();

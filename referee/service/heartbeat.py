"""A file that every pass touches (`[poll] heartbeat`), so that whoever keeps watch over the machine sees that the
referee is at work, and `doctor` how long ago. Its time is the machine's own: a pass may have another clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from referee.base.errors import outlined
from referee.base.logs import Log
from referee.base.ports import WorthKnowing
from referee.base.private import private_file
from referee.service.config import Located

log = Log("referee.heartbeat")


class Heartbeat:
    """Of a referee; one that has no such file is silent about it."""

    def __init__(self, located: Located) -> None:
        poll = located.settings.poll
        self._file: Path | None = located.folder / poll.heartbeat if poll.heartbeat else None
        self._told = False  # that it can't be touched
        self._late = poll.silence

    def beat(self) -> None:
        """A pass is over, whatever it could not reach."""
        if self._file is None:
            return
        try:
            private_file(self._file)
            self._file.touch()
        except OSError as error:  # whoever keeps watch sees it by that
            if not self._told:
                log.warning("no heartbeat", error=outlined(error))
            self._told = True
        else:
            self._told = False

    def examine(self) -> Iterator[str]:
        """For `doctor`: what is wrong, or worth knowing."""
        if self._file is None:
            return
        try:
            age = timedelta(seconds=max(0, round(time.time() - self._file.stat().st_mtime)))
        except FileNotFoundError:
            yield WorthKnowing(f"No pass has touched {self._file} yet.")
            return
        told = f"The last pass touched {self._file} {age} (hours:minutes:seconds) ago."
        late = f"{told} Is `referee run` at work, or cron? Its log tells more."
        yield late if age > self._late else WorthKnowing(told)

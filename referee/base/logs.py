"""The log, which loads its library with the first thing that is logged: most commands have nothing
to say, and what nobody wants to hear costs nothing.

No line of it holds a sealed word, a subject, an address or a secret, whatever went wrong: events
and facts are ours, errors are outlined (`referee.base.errors`), libraries are heard without their
words, addresses are struck out at the door."""

import logging
import re
import sys
import threading
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partialmethod
from typing import Any

from referee.base.errors import traced

level = logging.WARNING  # below which nothing is logged; the command line sets it first

_about: ContextVar[dict[str, object]] = ContextVar("about", default={})  # noqa: B039 - it is never changed
_ADDRESS = re.compile(r"[^\s<>\"'(),;:=\[\]]+@[^\s<>\"'(),;:=\[\]]+")


@contextmanager
def about(**facts: object) -> Iterator[None]:
    """What every line of the block is about: by `mail`, its number, all else of it is found."""
    before = _about.set({**_about.get(), **facts})
    try:
        yield
    finally:
        _about.reset(before)


class Log:
    """A logger by name. `event` is a short constant text; what it is about goes into the facts."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _say(self, of: int, event: str, **facts: Any) -> None:
        if level <= of:
            _logger(level).bind(logger=self._name, **_about.get()).log(of, event, **facts)

    info = partialmethod(_say, logging.INFO)
    warning = partialmethod(_say, logging.WARNING)
    error = partialmethod(_say, logging.ERROR)

    def exception(self, event: str, **facts: Any) -> None:
        """Within the handling of one."""
        error = sys.exc_info()[1]
        if level <= logging.ERROR and error is not None:
            self.error(event, **facts, trace=traced(error))


class _Libraries(logging.Handler):
    """What libraries log: which of them, where, and the error it is about."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        trace = {"trace": traced(error)} if error is not None else {}
        Log(record.name).warning("a library", at=f"{record.module}:{record.lineno}", **trace)


def guard() -> None:
    """Nothing reaches standard error by other ways than this: what libraries log, and what ends a
    thread or the process."""
    logging.lastResort = _Libraries(logging.WARNING)
    sys.excepthook = lambda kind, error, trace: _write(error)
    threading.excepthook = lambda fault: _write(fault.exc_value) if fault.exc_value else None


def _write(error: BaseException) -> None:
    sys.stderr.write(f"{_struck(traced(error))}\n")


def _struck(text: str) -> str:
    return _ADDRESS.sub("(address)", text)


def _without_addresses(_: object, __: str, facts: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Whoever's they are: a server's answer names them, and so does a Message-ID."""
    return {name: _struck(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}


def _logger(lowest: int) -> Any:
    """Lines on standard error: nothing but what was asked for is ever on standard output."""
    import structlog

    line = structlog.processors
    return structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(lowest),
        processors=[
            line.add_log_level,
            line.TimeStamper(fmt="%Y-%m-%dT%H:%M:%SZ", utc=True),
            _without_addresses,
            line.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
    )

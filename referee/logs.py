"""The log, which loads its library with the first thing that is logged: most commands have nothing to say, and what
nobody wants to hear costs nothing."""

from __future__ import annotations

import logging
import sys
from typing import Any

level = logging.WARNING  # below which nothing is logged; the command line sets it before anything is


class Log:
    """A logger by name. `event` is a short constant text; what it is about goes into the facts."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def _logger(self) -> Any:
        return _logger(level).bind(logger=self._name)

    def debug(self, event: str, **facts: Any) -> None:
        if level <= logging.DEBUG:
            self._logger.debug(event, **facts)

    def info(self, event: str, **facts: Any) -> None:
        if level <= logging.INFO:
            self._logger.info(event, **facts)

    def warning(self, event: str, **facts: Any) -> None:
        if level <= logging.WARNING:
            self._logger.warning(event, **facts)

    def error(self, event: str, **facts: Any) -> None:
        if level <= logging.ERROR:
            self._logger.error(event, **facts)

    def exception(self, event: str, **facts: Any) -> None:
        if level <= logging.ERROR:
            self._logger.exception(event, **facts)


def _logger(lowest: int) -> Any:
    """Lines of JSON on standard error: nothing but what was asked for is ever on standard output."""
    import structlog

    return structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(lowest),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
    )

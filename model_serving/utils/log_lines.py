"""A log handler for many threads that end their requests at once."""

import logging
import os
from typing import TextIO


class LineHandler(logging.Handler):
    """Writes each record by one call of the system, without a lock to queue at.

    A file keeps lines whole so, a pipe those of up to 4 KiB.

    Args:
        stream: what has a file; it is written past its buffer.
    """

    def __init__(self, stream: TextIO):
        super().__init__()
        self._file = stream.fileno()

    def createLock(self) -> None:  # noqa: N802  the name is that of the base class
        """Need none."""
        self.lock = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record as a line of UTF-8; what can not be written is told as by other handlers."""
        try:
            os.write(self._file, f"{self.format(record)}\n".encode(errors="backslashreplace"))
        except Exception:
            self.handleError(record)

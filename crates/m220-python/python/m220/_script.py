"""The command ``m220``, installed with the module."""

import signal
import sys

from . import _m220


def main() -> int:
    """Runs the command line of this process."""
    # The command has its own way with Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _m220.command(["m220", *sys.argv[1:]])

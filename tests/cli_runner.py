"""Runs of the command line, for the tests of its commands."""

import os
import re
import subprocess

from typer.testing import CliRunner

from guandan.cli import app

# None takes a variable out of the environment, so that the tests do not depend on the caller's.
PLAIN = dict.fromkeys(["FORCE_COLOR", "NO_COLOR", "COLORTERM", "TTY_COMPATIBLE", "PY_COLORS"])
TERMINAL = {**PLAIN, "FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "72"}
ESCAPES = re.compile(r"\x1b\[([0-9;]*)m")


def run(*args, env=PLAIN, stdin=None):
    """Run a command that must succeed in silence on standard error; return what it prints."""
    result = CliRunner(env=env).invoke(app, args, input=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refuse(*args, env=PLAIN, stdin=None):
    """Run a command that must fail with status 2 and print nothing else; return its error."""
    result = CliRunner(env=env).invoke(app, args, input=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def refuse_in_a_line(*args, env=PLAIN, stdin=None):
    """Run a command that must fail as the package does; return what it says."""
    error = refuse(*args, env=env, stdin=stdin)
    assert error.startswith("guandan: ")
    assert error.count("\n") == 1
    return error


def spawn(*command):
    """Run a process without this one's colour settings; return its standard output."""
    done = subprocess.run(command, env=plain_environ(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def plain_environ():
    return {name: value for name, value in os.environ.items() if name not in PLAIN}


def split_plain(output):
    """Return the lines of moves and the other lines of what is not for a terminal."""
    lines = output.splitlines()
    return (
        [line for line in lines if not line.startswith("#")],
        [line for line in lines if line.startswith("#")],
    )

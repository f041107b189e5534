"""Runs of the command line, for the tests of its commands."""

import os
import re
import select
import signal
import subprocess
import sys

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


def interrupt(*args):
    """Run a command on a terminal until its bar is there, press Ctrl-C, and see it end quietly."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "guandan.cli", *args],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=plain_environ() | {"TERM": "xterm", "COLUMNS": "72"},
    ) as process:
        os.close(theirs)
        said = b""
        while b" of " not in said:  # the bar is there: it works
            assert select.select([ours], [], [], 60)[0]
            said += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        while select.select([ours], [], [], 60)[0]:
            try:
                more = os.read(ours, 4096)
            except OSError:  # what Linux says at the end
                break
            if not more:
                break
            said += more
        assert process.wait(60) == 130
        assert process.stdout.read() == b""
    os.close(ours)
    assert b"Traceback" not in said
    assert b"Aborted" not in said

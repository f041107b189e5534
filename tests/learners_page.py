"""The examples of docs/learners.md, by section."""

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "learners.md"


def failures_of(section: str) -> str:
    """Run the example under a heading and return what fails."""
    text = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    (found,) = (part for part in text if part.startswith(section + "\n"))
    test = doctest.DocTestParser().get_doctest(found.replace("```", ""), {}, section, str(PAGE), 0)
    assert test.examples
    failures: list[str] = []
    doctest.DocTestRunner().run(test, out=failures.append)
    return "\n".join(failures)

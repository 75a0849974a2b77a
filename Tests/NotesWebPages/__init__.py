"""Uses the pages of Examples/NotesWeb in Chromium as a person does, and checks every page against the rules of
accessibility by axe.

`run` is for other scripts; `python -m NotesWebPages PROGRAM` runs all of it, from the folder Tests.
"""

from pathlib import Path

from . import design, following, reading, writing
from .cases import Case, Failure

SUITES = (reading, writing, following, design)


def run(program, chromium="/usr/bin/chromium", pictures=None, only=None):
    """Runs the tests against a built program, and returns what failed, one sentence each.

    `pictures` is a folder for a picture of each page in each size and colour, `only` a part of the names of the tests
    to run.
    """
    from playwright.sync_api import sync_playwright

    failures = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for suite in SUITES:
            for name in (name for name in dir(suite) if name.startswith("test_")):
                if only and only not in name:
                    continue
                title = name.removeprefix("test_").replace("_", " ")
                try:
                    with Case(browser, Path(program), pictures and Path(pictures)) as case:
                        getattr(suite, name)(case)
                    print(f"passed  {title}", flush=True)
                except Exception as error:  # Any error fails this test only; the others still run.
                    kind = "" if isinstance(error, Failure) else f"{type(error).__name__}: "
                    failures.append(f"{title}: {kind}{error}")
                    print(f"FAILED  {failures[-1]}", flush=True)
        browser.close()
    return failures

"""Makes the pictures of README. See Scripts/checks/pictures."""

import argparse
import pathlib
import struct
import subprocess
import sys
import tempfile

from browsed import MODEL, PERENNIAL, ROOT, Server
from playwright.sync_api import expect, sync_playwright

SEED = MODEL.parent / "seed.json"
PLACE = ROOT / "Documentation/Pictures"
WIDTH = 1280


def show_grid(page, base):
    """The notes of the spring, the newest first, and the number of notes in each category."""
    page.goto(base + "/entity/Note?where=ANY+tags.name+%3D%3D+'Spring'&sort=createdAt&order=desc")
    expect(page).to_have_title("Note – Notes.sqlite")
    page.get_by_role("button", name="category").click()
    expect(page.locator("#facet .facet")).to_contain_text("Herbs")
    page.evaluate("window.scrollTo(0, 0)")


def show_object(page, base):
    """A note with its values and related objects."""
    page.goto(base + "/entity/Note?where=title+BEGINSWITH+'Blackthorn'")
    page.locator("tr[data-row] th a").first.click()
    expect(page.locator("h1")).to_contain_text("Blackthorn")
    expect(page.locator(".related").first).to_be_visible()


# The function that opens each page, and the height of its picture.
PICTURES = {"grid": (show_grid, 800), "object": (show_object, 500)}
SCHEMES = ["light", "dark"]


def make(folder):
    """Makes each picture in both color schemes."""
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        store = pathlib.Path(made) / "Notes.sqlite"
        subprocess.run(
            [PERENNIAL, "seed", str(MODEL), str(SEED), "--store", str(store)], check=True, stdout=subprocess.DEVNULL
        )
        server = Server(store, "--model", str(MODEL))
        try:
            chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            for scheme in SCHEMES:
                context = chromium.new_context(
                    color_scheme=scheme,
                    locale="en-GB",
                    timezone_id="UTC",
                    reduced_motion="reduce",
                )
                page = context.new_page()
                page.goto(server.address)
                page.wait_for_url(server.base + "/")
                for name, (show, height) in PICTURES.items():
                    page.set_viewport_size({"width": WIDTH, "height": height})
                    show(page, server.base)
                    page.screenshot(path=folder / f"{name}-{scheme}.png", animations="disabled", caret="hide")
                context.close()
            chromium.close()
        finally:
            server.stop()


def size(picture):
    """The width and the height of a PNG."""
    return struct.unpack(">II", picture.read_bytes()[16:24])


def check(folder):
    """The problems of the pictures in the repository."""
    readme = (ROOT / "README.md").read_text()
    for made in sorted(folder.iterdir()):
        kept = PLACE / made.name
        if not kept.exists():
            yield f"{kept.relative_to(ROOT)} is not there; make it by Scripts/checks/pictures"
        elif size(kept) != size(made):
            yield f"{kept.relative_to(ROOT)} has {size(kept)} points and not {size(made)}; make it by Scripts/checks/pictures"
        if f"Documentation/Pictures/{made.name}" not in readme:
            yield f"README.md does not show Documentation/Pictures/{made.name}"


def main():
    parser = argparse.ArgumentParser(description="Makes the pictures of README.")
    parser.add_argument("--check", action="store_true", help="keep nothing, and look at those in the repository")
    if not parser.parse_args().check:
        PLACE.mkdir(parents=True, exist_ok=True)
        make(PLACE)
        return
    with tempfile.TemporaryDirectory() as folder:
        make(pathlib.Path(folder))
        problems = list(check(pathlib.Path(folder)))
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()

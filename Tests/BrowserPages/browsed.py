"""A store that `perennial browse` serves, and a web browser that opens its pages."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.request
import zlib

import axe_playwright_python
from playwright.sync_api import Locator, expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "Examples/Notes/Sources/Notes/Notes.xcdatamodeld"
PERENNIAL = os.environ["PERENNIAL"]
PICTURES = os.environ.get("PICTURES")
# The seconds after which a page that does not load is a failure. A slow page on a busy machine is not a failure.
PATIENCE = int(os.environ.get("PATIENCE", "600"))
expect.set_options(timeout=PATIENCE * 1_000)
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIOLATIONS = """async (rules) => (await axe.run(document, { runOnly: rules, resultTypes: ["violations"] })).violations
  .map((one) => [one.id, ...one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))])"""
# The rules whose outcome depends on the color scheme.
COLOR_RULES = ["color-contrast", "link-in-text-block"]
WIDTHS = [400, 1280, 2560]
SCHEMES = ["light", "dark"]
# Scripts/soak runs axe at every width. Other runs take one width for each state, always the same, because axe takes long.
EVERY_WIDTH = float(os.environ.get("PERENNIAL_SOAK") or 0) >= 1


def behind_loading(read):
    """Makes a read wait until the page has loaded, because after a click the page may be incomplete."""

    def reading(locator):
        locator.page.wait_for_load_state("domcontentloaded")
        return read(locator)

    return reading


Locator.all = behind_loading(Locator.all)
Locator.count = behind_loading(Locator.count)


class Server:
    """A process of `perennial browse` that serves a store until it is stopped."""

    def __init__(self, store, *options):
        self.process = subprocess.Popen(
            [PERENNIAL, "browse", str(store), "--no-open", "--port", "0", *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        self.address = re.search(r"http://\S+", line).group()
        self.origin = self.address[: self.address.index("/open/")]
        self.path = self.opened_path()
        self.base = self.origin + self.path

    def opened_path(self):
        """The random path of the pages, which the page of the printed address leads to."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(self.address, timeout=PATIENCE) as response:
            return re.search(r'content="0;url=([^"]*)/"', response.read().decode()).group(1)

    def url(self, path):
        """The address of a page. The links of pages begin with the path of the pages already."""
        return self.origin + path if path.startswith(self.path + "/") else self.base + path

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()


class BrowsedTest(unittest.TestCase):
    """A test case with a store of generated notes, its server, and a browser that has signed in."""

    COUNTS = ["Note=500", "Category=8", "Tag=20"]
    SCHEME = "light"

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.store = cls.folder / "Notes.sqlite"
        cls.server = Server(cls.store, *cls.make_store(), *cls.options())
        cls.playwright = sync_playwright().start()
        cls.chromium = cls.playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])

    @classmethod
    def make_store(cls):
        """Makes the store, and returns the option that names its model."""
        counts = [word for count in cls.COUNTS for word in ("--count", count)]
        subprocess.run(
            [PERENNIAL, "generate-data", str(MODEL), *counts, "--seed", "42", "--store", str(cls.store)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return ["--model", str(MODEL)]

    @classmethod
    def options(cls):
        """Returns further options of the command. A subclass may create files for them here."""
        return []

    @classmethod
    def tearDownClass(cls):
        cls.chromium.close()
        cls.playwright.stop()
        cls.server.stop()
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.context = self.browser_context()
        self.page = self.context.new_page()
        self.problems = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self.note)
        self.enter(self.page)

    def tearDown(self):
        self.context.close()
        self.assertEqual(self.problems, [])

    def note(self, message):
        # A test also opens a page that answers with an error.
        if message.type == "error" and "status of 4" not in message.text:
            self.problems.append(message.text)

    def browser_context(self, **options):
        context = self.chromium.new_context(
            viewport={"width": 1280, "height": 900}, color_scheme=self.SCHEME, **options
        )
        context.set_default_timeout(PATIENCE * 1_000)
        return context

    def enter(self, page):
        """Opens the address that the command printed, which sets the cookie and redirects to the first page."""
        page.goto(self.server.address)
        page.wait_for_url(self.server.base + "/")

    def go(self, path):
        self.page.goto(self.server.url(path))

    def check_accessibility(self):
        self.page.evaluate(AXE)
        self.assertEqual(self.page.evaluate(VIOLATIONS, RULES), [], self.page.url)

    def check_everywhere(self, name):
        """Checks that the page fits its window at three widths, and is accessible in both color schemes.

        The page stays loaded: its window is resized, so that what a person has opened or typed stays as it is.
        """
        self.page.evaluate(AXE)
        checked = WIDTHS if EVERY_WIDTH else [WIDTHS[zlib.crc32(name.encode()) % len(WIDTHS)]]
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            with self.subTest(name, width=width):
                overflow = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                self.assertLessEqual(overflow, 0, "the page is wider than its window")
            for scheme in SCHEMES if width in checked else []:
                with self.subTest(name, width=width, scheme=scheme):
                    self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    rules = RULES if scheme == SCHEMES[0] else COLOR_RULES
                    self.assertEqual(self.page.evaluate(VIOLATIONS, rules), [], self.page.url)
                    self.picture(f"{name}-{width}-{scheme}")

    def picture(self, name):
        if not PICTURES:
            return
        pathlib.Path(PICTURES).mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=f"{PICTURES}/{name}.png", full_page=False)

    def first_object(self, entity):
        self.go(f"/entity/{entity}")
        return self.page.locator("tr[data-row] th a").first.get_attribute("href")

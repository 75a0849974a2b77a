"""Ten tasks of a person who has not seen the pages before: how many clicks and keys each takes, without a predicate."""

import contextlib
import subprocess
import time
import unittest

import tours
from browsed import PERENNIAL, BrowsedTest


class Tasks(BrowsedTest):
    @classmethod
    def make_store(cls):
        tours.make(cls.store)
        return ["--model", str(tours.MODEL)]

    @classmethod
    def options(cls):
        other = cls.folder / "Backup.sqlite"
        subprocess.run(
            [PERENNIAL, "copy", str(cls.store), str(other), "--model", str(tours.MODEL)], check=True, stdout=subprocess.DEVNULL
        )
        tours.load(cls.store, {"Tour": [{"name": "Only here"}]})
        return ["--compare", str(other), "--write"]

    @contextlib.contextmanager
    def task(self, name, most):
        """A task that begins at the first page and takes at most a number of clicks and keys."""
        self.go("/")
        self.steps = 0
        start = time.monotonic()
        yield
        print(f"\n{name}: {self.steps} clicks and keys, {time.monotonic() - start:.1f} s", end="")
        self.assertLessEqual(self.steps, most)

    def click(self, name, role="link", place="main"):
        self.steps += 1
        where = self.page.locator(place) if place != "main" else self.page.get_by_role("main")
        where.get_by_role(role, name=name, exact=True).first.click()

    def type(self, label, text):
        self.steps += 1 + len(text)
        self.page.get_by_label(label).first.fill(text)

    def shows(self, text):
        self.page.get_by_role("main").get_by_text(text).first.wait_for()

    def test_who_changed_an_object(self):
        with self.task("who wrote what", 3):
            self.click("Tour")
            self.click("2")
            self.click("History")
            self.page.locator(".by a").first.wait_for()

    def test_objects_without_a_reference(self):
        with self.task("unreferenced objects", 2):
            self.click("Sight")
            self.click("Unreferenced objects")
            self.shows("Sight 69")

    def test_duplicates(self):
        with self.task("duplicates", 4):
            self.click("Sight")
            self.click("Duplicates")
            self.click("name", "checkbox")
            self.click("Find duplicates", "button")
            self.shows("Lisbon")

    def test_comparison_with_a_backup(self):
        with self.task("comparison with a backup", 3):
            self.click("Comparison", place="header")
            self.steps += 1
            self.page.get_by_role("button", name="Compare").first.click()
            self.page.get_by_role("button", name="Compare anew").wait_for()
            self.steps += 1
            self.page.get_by_role("main").get_by_role("link", name="of Tour, only in this store").click()
            self.shows("Only here")

    def test_export_of_a_filtered_grid(self):
        with self.task("export of a filtered grid", 14):
            self.click("Sight")
            self.type("Search", "Lisbon")
            self.steps += 1
            self.page.keyboard.press("Enter")
            self.page.wait_for_url("**where=**")
            with self.page.expect_download() as download:
                self.click("CSV")
            self.assertEqual(download.value.path().read_text().count("Lisbon"), 3)

    def test_following_a_relationship_and_coming_back(self):
        with self.task("follow and come back", 4):
            self.click("Tour")
            self.click("3")
            self.click("Ada")
            self.shows("ada@example.com")
            self.steps += 1
            self.page.go_back()
            self.assertEqual(self.page.locator("h1").inner_text(), "Tour 2")

    def test_five_steps_in_another_order(self):
        with self.task("another order of five steps", 12):
            self.click("Tour")
            self.click("4")
            self.click("Edit")
            # The last step becomes the first one, the next one becomes the second one, and so on.
            for place in range(1, 5):
                item = self.page.locator("[data-ordered] li").nth(4)
                self.steps += 2
                item.locator("[data-place]").fill(str(place))
                with self.page.expect_navigation():
                    self.page.keyboard.press("Enter")
            titles = self.page.locator("[data-ordered] li > a").all_inner_texts()
            self.assertEqual(titles, [f"Stop {n} of tour 3" for n in [5, 4, 3, 2, 1]])

    def test_objects_since_a_date(self):
        with self.task("objects since a date", 12):
            self.click("Tour")
            self.steps += 1
            self.page.get_by_role("columnheader", name="startsOn").locator("[data-column]").click()
            self.page.locator("#facet input[name=least]").wait_for()
            self.steps += 8
            self.page.locator("#facet input[name=least]").fill("2023-01-01")
            self.click("Apply", "button")
            self.page.wait_for_url("**where=**")
            self.assertIn("2023-01-01", self.page.get_by_label("Predicate").input_value())
            self.assertEqual(self.page.locator("tr[data-row]").count(), 8)

    def test_json_in_its_stored_spelling(self):
        with self.task("look at JSON", 2):
            self.click("Tour")
            self.click("1")
            self.shows('"price": 1.10')
            self.shows('"a": 1')

    def test_link_to_hand_to_another_person(self):
        with self.task("hand over a link", 2):
            self.click("Tour")
            self.page.wait_for_url("**/entity/Tour*")
            self.click("Link", place="header")
            link = self.page.get_by_label("Link").input_value()
        with contextlib.closing(self.browser_context()) as context:
            page = context.new_page()
            page.goto(link)
            page.wait_for_url("**/entity/Tour*")
            self.assertEqual(page.locator("h1").inner_text(), "Tour")


if __name__ == "__main__":
    unittest.main()

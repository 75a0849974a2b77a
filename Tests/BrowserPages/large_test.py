"""The tasks of a person in a store of a million objects."""

import contextlib
import re
import shutil
import sqlite3
import unittest

from browsed import BrowsedTest, expect

COUNT = 1_000_000


class Large(BrowsedTest):
    COUNTS = ["Note=10", "Category=8", "Tag=5"]

    @classmethod
    def options(cls):
        # SQL inserts the rows, because generating a million objects would take too long.
        with contextlib.closing(sqlite3.connect(cls.store)) as database, database:
            database.execute(
                """
                WITH RECURSIVE numbers(number) AS (SELECT 11 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZCATEGORY, ZCREATEDAT, ZTITLE)
                SELECT number, 2, 1, number % 8 + 1, 700000000 + number, 'Note ' || number FROM numbers
                """,
                [COUNT],
            )
            database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'Note'", [COUNT])
        other = cls.folder / "Other.sqlite"
        shutil.copy(cls.store, other)
        return ["--compare", str(other)]

    def keys(self):
        return [int(text) for text in self.page.locator("tr[data-row] th a").all_inner_texts()]

    def turn(self, relation):
        before = self.page.url
        self.page.locator(f"a[rel={relation}]").click()
        self.page.wait_for_url(lambda url: url != before)
        self.page.locator("tr[data-row]").first.wait_for()

    def test_pages_of_a_million_objects_are_turned_forward_back_and_from_the_end(self):
        self.go("/entity/Note")
        seen = self.keys()
        for _ in range(10):
            self.turn("next")
            seen += self.keys()
        self.assertEqual(seen, sorted(set(seen)))
        self.assertEqual(len(seen), 550)
        self.turn("prev")
        self.assertEqual(self.keys(), seen[450:500])
        self.page.get_by_role("link", name="Last", exact=True).click()
        self.page.get_by_role("link", name=str(COUNT), exact=True).wait_for()
        self.assertEqual(self.keys()[-1], COUNT)
        self.turn("prev")
        self.assertLess(self.keys()[-1], COUNT)

    def test_the_number_of_objects_comes_later_and_holds_up_nothing(self):
        self.go("/entity/Note")
        self.assertEqual(len(self.keys()), 50)
        self.page.locator(".total").get_by_text(re.compile(f"{COUNT:,}")).wait_for()

    def test_a_counterpart_among_a_million_is_found_by_a_predicate_and_followed(self):
        self.go("/entity/Note")
        self.page.get_by_label("Predicate").fill("title == 'Note 765432'")
        self.page.get_by_role("button", name="Filter").click()
        self.page.get_by_role("link", name="765432", exact=True).click()
        self.assertEqual(self.page.locator("h1").inner_text(), "Note 765432")
        self.page.locator(".related a[href*='/entity/Category/']").first.click()
        self.page.locator(".related").filter(has_text="notes").get_by_role("link", name=re.compile("^all ")).click()
        self.page.locator("tr[data-row]").first.wait_for()
        self.assertEqual(len(self.keys()), 50)

    def test_a_comparison_of_two_million_objects_shows_how_far_it_is_and_is_stopped(self):
        self.go("/comparison")
        self.page.get_by_role("button", name="Compare").click()
        progress = self.page.get_by_role("progressbar", name="Objects read")
        progress.wait_for()
        expect(progress).to_have_attribute("value", re.compile(r"^\d{4,}$"))
        self.check_accessibility()
        self.picture("comparison-running")
        self.page.get_by_role("button", name="Stop").click()
        self.page.get_by_role("button", name="Compare anew").wait_for()
        self.assertEqual(progress.count(), 0)

    def test_values_of_a_million_objects_are_counted(self):
        self.go("/entity/Note")
        self.page.get_by_role("button", name="category").click()
        self.page.locator("#facet tbody tr").first.wait_for()
        self.assertGreaterEqual(self.page.locator("#facet tbody tr").count(), 8)


if __name__ == "__main__":
    unittest.main()

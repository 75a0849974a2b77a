"""The tasks of a person who reads a store."""

import json
import re
import unittest

from browsed import BrowsedTest


class Reading(BrowsedTest):
    def test_a_person_goes_from_entities_to_an_object_and_back(self):
        self.page.get_by_role("main").get_by_role("link", name="Note", exact=True).click()
        self.assertEqual(self.page.locator("h1").inner_text(), "Note")
        self.assertEqual(self.page.locator("tr[data-row]").count(), 50)
        self.page.get_by_label("Predicate").fill("category != nil")
        self.page.get_by_role("button", name="Filter").click()
        rows = self.page.locator("tr[data-row]")
        rows.first.locator("th a").click()
        title = self.page.locator("h1").inner_text()
        self.page.locator(".related a[href*='/entity/Category/']").first.click()
        self.assertIn("/entity/Category/", self.page.url)
        # The inverse relationship leads back.
        self.page.locator(".related").filter(has_text="notes").get_by_role("link", name=re.compile("^all ")).click()
        self.assertGreater(self.page.locator("tr[data-row]").count(), 0)
        self.page.go_back()
        self.page.go_back()
        self.assertEqual(self.page.locator("h1").inner_text(), title)

    def test_pages_of_a_sorted_grid_have_every_object_once(self):
        self.go("/entity/Note?sort=createdAt&order=desc")
        seen = []
        while True:
            seen += self.rows()
            following = self.page.locator("a[rel=next]")
            if following.count() == 0:
                break
            following.click()
        self.assertEqual(len(seen), 500)
        self.assertEqual(len(set(seen)), 500)
        self.page.locator("a[rel=prev]").click()
        self.assertEqual(self.rows(), seen[400:450])

    def rows(self):
        """The links to the grid's objects, without the part of the address that leads back to the grid."""
        return [link.get_attribute("href").split("?")[0] for link in self.page.locator("tr[data-row] th a").all()]

    def test_a_header_sorts_and_says_so(self):
        self.go("/entity/Note")
        # Its other link becomes a button as soon as the script has run.
        self.page.get_by_role("columnheader", name="createdAt").get_by_role("link", name="createdAt").click()
        header = self.page.get_by_role("columnheader", name="createdAt")
        self.assertEqual(header.get_attribute("aria-sort"), "ascending")
        header.get_by_role("link", name="createdAt").click()
        self.assertEqual(
            self.page.get_by_role("columnheader", name="createdAt").get_attribute("aria-sort"), "descending"
        )

    def test_a_predicate_with_a_mistake_is_mended_at_its_place(self):
        self.go("/entity/Note")
        box = self.page.get_by_label("Predicate")
        box.fill("titel CONTAINS 'a'")
        box.press("Enter")
        self.page.get_by_role("alert").wait_for()
        self.assertEqual(self.page.locator(".problem mark").inner_text(), "titel")
        box = self.page.get_by_label("Predicate")
        self.assertEqual(box.input_value(), "titel CONTAINS 'a'")
        box.fill("title CONTAINS 'a'")
        box.press("Escape")
        self.page.get_by_role("button", name="Filter").click()
        self.page.locator("tr[data-row]").first.wait_for()
        for cell in self.page.locator("tr[data-row] td:nth-child(2)").all_inner_texts():
            self.assertIn("a", cell)

    def test_a_predicate_is_completed_by_the_keyboard_alone(self):
        self.go("/entity/Note")
        self.page.keyboard.press("/")
        self.page.keyboard.type("cat")
        option = self.page.get_by_role("option").first
        option.wait_for()
        box = self.page.get_by_role("combobox")
        self.assertEqual(box.get_attribute("aria-expanded"), "true")
        self.page.keyboard.press("ArrowDown")
        self.assertEqual(option.get_attribute("aria-selected"), "true")
        self.assertEqual(box.get_attribute("aria-activedescendant"), option.get_attribute("id"))
        self.page.keyboard.press("Enter")
        self.assertTrue(box.input_value().startswith("category"))
        self.page.keyboard.press("Escape")

    def test_counts_by_value_lead_to_the_objects(self):
        self.go("/entity/Note")
        self.page.get_by_role("button", name="category").click()
        row = self.page.locator("#facet tbody tr").first
        row.wait_for()
        count = int(row.locator("td").first.inner_text().replace(",", ""))
        row.get_by_role("link").click()
        self.page.locator("tr[data-row]").first.wait_for()
        self.assertEqual(self.page.locator(".total strong").inner_text(), str(count))

    def test_keys_move_open_and_list_themselves(self):
        self.go("/entity/Note")
        self.page.keyboard.press("j")
        self.page.keyboard.press("j")
        href = self.page.locator("tr[data-row]").nth(1).locator("th a").get_attribute("href")
        self.assertEqual(self.page.evaluate("document.activeElement.getAttribute('href')"), href)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**" + href)
        self.page.keyboard.press("u")
        self.page.wait_for_url("**/entity/Note#row-*")
        self.page.keyboard.press("n")
        self.page.wait_for_url("**after=**")
        self.page.keyboard.press("?")
        self.assertTrue(self.page.get_by_role("dialog").is_visible())
        self.page.keyboard.press("Escape")
        self.assertFalse(self.page.get_by_role("dialog").is_visible())

    def test_rows_are_saved(self):
        self.go("/entity/Note?where=title+CONTAINS+'a'")
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="JSON").click()
        with open(download.value.path()) as file:
            rows = json.load(file)
        self.assertGreater(len(rows), 0)
        self.assertTrue(all("a" in row["title"] for row in rows))

    def test_everything_is_read_without_scripts(self):
        context = self.browser_context(java_script_enabled=False)
        page = context.new_page()
        self.enter(page)
        page.get_by_role("main").get_by_role("link", name="Note", exact=True).click()
        page.get_by_label("Predicate").fill("title CONTAINS 'e'")
        page.get_by_role("button", name="Filter").click()
        page.get_by_role("columnheader", name="title").get_by_role("link").first.click()
        self.assertEqual(page.get_by_label("Predicate").input_value(), "title CONTAINS 'e'")
        page.locator("a.chip").first.click()
        self.assertGreater(page.locator(".counts tbody tr").count(), 0)
        page.get_by_role("link", name="Back to the objects").click()
        page.locator("tr[data-row] th a").first.click()
        self.assertGreater(page.locator(".values .value").count(), 3)
        context.close()

    def test_the_diagram_is_chosen_and_made_larger(self):
        self.go("/diagram")
        width = self.page.locator("[data-diagram] svg").bounding_box()["width"]
        self.page.get_by_role("button", name="Larger").click()
        self.assertGreater(self.page.locator("[data-diagram] svg").bounding_box()["width"], width)
        boxes = self.page.locator(".dg-entity").count()
        self.page.get_by_label("Entity").select_option("Tag")
        self.page.get_by_role("button", name="Show").click()
        self.page.wait_for_url("**entity=Tag**")
        self.assertLessEqual(self.page.locator(".dg-entity").count(), boxes)


if __name__ == "__main__":
    unittest.main()

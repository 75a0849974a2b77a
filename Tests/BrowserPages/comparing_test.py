"""The tasks of a person who compares two stores or two models, and saves the result."""

import json
import subprocess
import unittest

from browsed import MODEL, PERENNIAL, BrowsedTest


class Comparing(BrowsedTest):
    COUNTS = ["Note=200", "Category=8", "Tag=20"]

    @classmethod
    def options(cls):
        cls.other = cls.folder / "Other.sqlite"
        subprocess.run([PERENNIAL, "copy", str(cls.store), str(cls.other), "--model", str(MODEL)], check=True, stdout=subprocess.DEVNULL)
        seed = cls.folder / "only-here.json"
        seed.write_text(json.dumps({"Category": [{"name": "Only here"}]}))
        subprocess.run(
            [PERENNIAL, "seed", str(MODEL), str(seed), "--store", str(cls.store)], check=True, stdout=subprocess.DEVNULL
        )
        contents = next(MODEL.glob("*.xcdatamodel")) / "contents"
        cls.model = cls.folder / "Changed.xcdatamodel"
        cls.model.mkdir()
        text = contents.read_text().replace("</model>", '<entity name="Sticker"/></model>')
        (cls.model / "contents").write_text(text)
        return ["--compare", str(cls.other), "--against", str(cls.model)]

    def setUp(self):
        super().setUp()
        self.compare()

    def compare(self):
        self.go("/comparison")
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Compare").click()
        self.page.get_by_role("button", name="Compare anew").wait_for()

    def cell(self, entity, way):
        return self.page.get_by_role("main").get_by_role("link", name=f"of {entity}, {way}")

    def test_a_person_finds_what_only_one_store_has(self):
        self.assertEqual(self.page.get_by_role("link", name="Comparison").get_attribute("aria-current"), "page")
        link = self.cell("Category", "only in this store")
        self.assertTrue(link.inner_text().startswith("1"))
        link.click()
        self.page.get_by_role("main").get_by_role("link", name="Only here").click()
        self.assertEqual(self.page.locator("h1").inner_text(), "Only here")
        self.page.get_by_role("link", name="The object in this store").click()
        self.assertIn("/entity/Category/", self.page.url)
        self.page.go_back()
        self.page.keyboard.press("u")
        self.page.wait_for_url("**way=here**")

    def test_it_is_made_anew_when_a_person_wants_it_and_not_when_a_page_is_loaded_again(self):
        number = self.page.locator("input[name=after]").get_attribute("value")
        self.page.reload()
        self.assertEqual(self.page.locator("input[name=after]").get_attribute("value"), number)
        self.compare()
        self.assertEqual(self.page.locator("input[name=after]").get_attribute("value"), str(int(number) + 1))

    def test_stores_are_compared_without_scripts(self):
        context = self.browser_context(java_script_enabled=False)
        page = context.new_page()
        self.enter(page)
        page.get_by_role("link", name="Comparison").click()
        with page.expect_navigation():
            page.get_by_role("button", name="Compare anew").click()
        while page.get_by_role("link", name="Show how far it is").count() > 0:
            page.goto(self.server.base + "/comparison")
        page.get_by_role("link", name="of Category, only in this store").click()
        self.assertEqual(page.get_by_role("main").get_by_role("link", name="Only here").count(), 1)
        context.close()

    def test_the_difference_of_the_models_is_on_the_page_of_the_model(self):
        self.go("/model")
        self.page.get_by_role("link", name="Difference to").click()
        self.assertIn("Sticker", self.page.get_by_role("main").inner_text())
        self.assertIn("A lightweight migration can do it.", self.page.get_by_role("main").inner_text())

    def test_what_is_seen_is_saved_as_a_seed(self):
        self.go("/entity/Category?where=name+%3D%3D+'Only+here'")
        self.page.get_by_role("link", name="seed …").click()
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Save the seed").click()
        with open(download.value.path()) as file:
            seed = json.load(file)
        self.assertEqual([record["name"] for record in seed["Category"]], ["Only here"])

    def test_the_objects_of_a_relationship_are_counted_by_value(self):
        self.go("/entity/Category")
        self.page.locator("td.number a").first.click()
        self.page.get_by_role("link", name="Show all").wait_for()
        self.page.get_by_role("button", name="createdAt").click()
        row = self.page.locator("#facet tbody tr").first
        row.wait_for()
        count = int(row.locator("td").first.inner_text().replace(",", ""))
        row.get_by_role("link").click()
        self.page.locator(".scope").wait_for()
        self.assertEqual(self.page.locator(".total strong").inner_text(), str(count))


if __name__ == "__main__":
    unittest.main()

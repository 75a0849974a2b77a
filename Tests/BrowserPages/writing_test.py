"""The tasks of a person who edits a store."""

import contextlib
import json
import re
import sqlite3
import subprocess
import unittest

from browsed import MODEL, PERENNIAL, BrowsedTest, expect


class Writing(BrowsedTest):
    COUNTS = ["Note=60", "Category=8", "Tag=30"]

    @classmethod
    def options(cls):
        return ["--write"]

    def setUp(self):
        super().setUp()
        # The server keeps the staged changes, so each test begins by discarding them.
        self.go("/edits")
        discard = self.page.get_by_role("button", name="Discard all changes", include_hidden=True)
        if discard.count() > 0:
            self.page.get_by_text("Discard all…").click()
            discard.click()

    def box(self, name):
        """The input of a form field, by the name of its property."""
        label = self.page.locator(".edit-name bdi", has_text=re.compile(f"^{name}$"))
        return self.page.locator(".edit-field").filter(has=label).locator("input[type=text], textarea, select")

    def change(self, name, text):
        self.box(name).fill(text)
        self.page.get_by_role("button", name="Change", exact=True).click()

    def stored(self, statement, *values):
        with contextlib.closing(sqlite3.connect(self.store, timeout=600)) as database, database:
            return database.execute(statement, values).fetchall()

    def strip(self):
        return self.page.get_by_role("region", name="Unsaved changes")

    def test_a_wrong_value_is_told_at_its_field_and_mended(self):
        place = self.first_object("Note")
        self.go(place)
        self.page.get_by_role("link", name="Edit", exact=True).click()
        self.box("title").fill("A title that is right")
        self.change("createdAt", "yesterday")
        expect(self.page.locator("#summary")).to_be_focused()
        wrong = self.box("createdAt")
        self.assertEqual(wrong.get_attribute("aria-invalid"), "true")
        self.assertEqual(wrong.input_value(), "yesterday")
        self.assertEqual(self.box("title").input_value(), "A title that is right")
        self.check_accessibility()
        self.picture(f"edit-wrong-{self.SCHEME}")
        self.page.locator("#summary").get_by_role("link", name="createdAt").click()
        self.assertEqual(self.page.evaluate("document.activeElement.id"), wrong.get_attribute("id"))
        self.change("createdAt", "2024-03-17 13:45:39Z")
        self.strip().get_by_text("change not saved").wait_for()
        self.go(place)
        self.page.get_by_text("Not saved: changes of the object").wait_for()
        self.check_accessibility()
        self.picture(f"object-not-saved-{self.SCHEME}")

    def test_edits_are_undone_redone_reviewed_and_saved(self):
        place = self.first_object("Category")
        self.go(place + "/edit")
        self.change("name", "Renamed once")
        self.change("name", "Renamed twice")
        self.strip().get_by_role("button", name="Undo").click()
        self.page.get_by_text("The last edit was undone.").wait_for()
        self.assertEqual(self.page.locator(".after").all_inner_texts(), ["Renamed once"])
        self.strip().get_by_role("button", name="Redo").click()
        self.assertEqual(self.page.locator(".after").all_inner_texts(), ["Renamed twice"])
        self.check_accessibility()
        self.picture(f"edits-{self.SCHEME}")
        self.page.get_by_role("button", name="Save all").click()
        self.page.get_by_text("All changes were saved.").wait_for()
        self.assertEqual(self.strip().count(), 0)
        self.go(place)
        self.assertEqual(self.page.locator("h1").inner_text(), "Renamed twice")

    def test_an_object_is_created_with_a_picked_relationship(self):
        self.go("/entity/Note")
        self.page.get_by_role("link", name="New …").click()
        self.check_accessibility()
        self.page.get_by_role("button", name="Create").click()
        self.assertEqual(self.box("title").get_attribute("aria-invalid"), "true")
        self.box("title").fill("Made in a page")
        self.page.get_by_role("button", name="Create").click()
        self.page.get_by_role("button", name="Choose category").click()
        self.check_accessibility()
        self.picture(f"relate-{self.SCHEME}")
        name = self.page.locator(".candidates li bdi").first.inner_text()
        self.page.get_by_label("A part of the name").fill(name[:4])
        self.page.get_by_role("button", name="Search").click()
        self.page.locator(".candidates li").filter(has_text=name).get_by_role("button").first.click()
        category = self.page.locator(".related").filter(has_text="category")
        category.get_by_role("link", name=name).wait_for()
        for _ in range(2):
            self.page.get_by_role("button", name="Add tags").click()
            self.page.locator(".candidates button").first.click()
        tags = self.page.locator(".related").filter(has=self.page.get_by_role("button", name="Add tags"))
        self.assertEqual(tags.locator("li a").count(), 2)
        tags.get_by_role("button", name="Remove").first.click()
        self.check_accessibility()
        self.picture(f"edit-new-{self.SCHEME}")
        self.page.keyboard.press("r")
        self.page.get_by_role("button", name="Save all").click()
        self.page.get_by_text("All changes were saved.").wait_for()
        self.go("/entity/Note?where=title+%3D%3D+'Made in a page'")
        self.page.locator("tr[data-row] th a").first.click()
        self.page.locator(".related").get_by_role("link", name=name).wait_for()

    def test_a_deletion_is_told_first_and_can_be_undone(self):
        place = self.first_object("Tag")
        self.go(place)
        title = self.page.locator("h1").inner_text()
        self.page.get_by_role("link", name="Delete…").click()
        self.check_accessibility()
        self.page.get_by_role("button", name="Delete", exact=True).click()
        self.page.get_by_text("The deletion is staged").wait_for()
        self.picture(f"edits-deletion-{self.SCHEME}")
        self.go(place)
        self.page.get_by_text("the object is to be deleted").wait_for()
        self.page.keyboard.press("z")
        self.page.get_by_text("The last edit was undone.").wait_for()
        self.go(place)
        self.assertEqual(self.page.locator("h1").inner_text(), title)
        self.assertEqual(self.page.get_by_text("the object is to be deleted").count(), 0)

    def test_a_conflict_is_shown_side_by_side_and_settled_both_ways(self):
        place = self.first_object("Category")
        key = int(place.rsplit("/", 1)[1])
        for side in ["Mine", "Theirs"]:
            self.go(place + "/edit")
            self.change("name", f"Mine, to be {side}")
            # Like another process, the statement also increments the row's version.
            self.stored(
                "UPDATE ZCATEGORY SET ZNAME = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", f"Theirs, to be {side}", key
            )
            self.strip().get_by_text("change not saved").wait_for()
            self.page.keyboard.press("r")
            self.page.get_by_role("button", name="Save all").click()
            self.page.get_by_role("heading", name="Conflicts").wait_for()
            self.check_accessibility()
            self.picture(f"conflicts-{self.SCHEME}")
            self.page.locator(f"input[type=radio][value={side.lower()}]").check()
            self.page.get_by_role("button", name="Save with these decisions").click()
            self.page.get_by_text("All changes were saved.").wait_for()
            [(name,)] = self.stored("SELECT ZNAME FROM ZCATEGORY WHERE Z_PK = ?", key)
            self.assertEqual(name, f"{side}, to be {side}")

    def test_a_save_waits_for_another_program_and_is_cancelled(self):
        place = self.first_object("Category")
        self.go(place + "/edit")
        self.change("name", "Named while another program writes")
        self.strip().get_by_text("change not saved").wait_for()
        with contextlib.closing(sqlite3.connect(self.store, timeout=600, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            self.page.keyboard.press("r")
            self.page.get_by_role("button", name="Save all").click()
            self.page.get_by_text("Waiting for another program").wait_for()
            self.check_accessibility()
            self.picture(f"saving-{self.SCHEME}")
            self.go(place)
            self.page.get_by_text("Not saved: changes of the object").wait_for()
            self.strip().get_by_role("link", name="A save waits for another program").click()
            self.page.get_by_role("button", name="Cancel the save").click()
            self.page.get_by_text("The save was cancelled.").wait_for()
            self.page.get_by_role("button", name="Save all").click()
            self.page.get_by_text("Waiting for another program").wait_for()
            database.execute("ROLLBACK")
            # The script loads the result when the save has ended.
            self.page.get_by_text("All changes were saved.").wait_for()
        self.go(place)
        self.assertEqual(self.page.locator("h1").inner_text(), "Named while another program writes")

    def test_a_seed_is_shown_and_taken_in(self):
        self.go("/")
        self.page.get_by_role("link", name="Import a seed …").click()
        self.page.get_by_label("Seed (JSON)").fill("{\"tags\": [\n{\"nam\": 1}]}")
        self.page.get_by_role("button", name="Preview").click()
        self.assertIn("2", self.page.get_by_role("alert").inner_text())
        self.check_accessibility()
        self.picture(f"seed-wrong-{self.SCHEME}")
        file = self.folder / "pasted.json"
        file.write_text(json.dumps({"tags": [{"name": "From a file"}]}))
        self.page.get_by_label("File", exact=True).set_input_files(str(file))
        expect(self.page.locator("#seed")).to_have_value(re.compile("From a file"))
        self.page.get_by_role("button", name="Preview").click()
        self.page.get_by_role("heading", name="Preview of the import").wait_for()
        self.check_accessibility()
        self.picture(f"seed-{self.SCHEME}")
        self.page.get_by_role("button", name="Import", exact=True).click()
        self.page.get_by_role("heading", name="The seed was imported").wait_for()
        self.assertEqual(self.stored("SELECT COUNT(*) FROM ZTAG WHERE ZNAME = 'From a file'"), [(1,)])

    def test_everything_is_edited_without_scripts(self):
        context = self.browser_context(java_script_enabled=False)
        page = context.new_page()
        self.enter(page)
        page.get_by_role("main").get_by_role("link", name="Tag", exact=True).click()
        page.get_by_role("link", name="New …").click()
        page.locator("textarea").first.fill("Without scripts")
        page.get_by_role("button", name="Create").click()
        page.get_by_role("button", name="Add notes").click()
        page.locator(".candidates button").first.click()
        page.get_by_role("link", name="Review").click()
        page.get_by_role("button", name="Save all").click()
        page.get_by_text("All changes were saved.").wait_for()
        self.assertEqual(self.stored("SELECT COUNT(*) FROM ZTAG WHERE ZNAME = 'Without scripts'"), [(1,)])
        context.close()


class Refusals(unittest.TestCase):
    def test_a_store_that_is_not_there_is_no_store_to_be_written(self):
        done = subprocess.run(
            [PERENNIAL, "browse", "/nowhere/Notes.sqlite", "--write", "--no-open", "--model", str(MODEL)],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere/Notes.sqlite", done.stderr)


if __name__ == "__main__":
    unittest.main()

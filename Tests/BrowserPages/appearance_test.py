"""The appearance and accessibility of the pages: in both colour schemes, at three widths."""

import unittest

from browsed import BrowsedTest


class LightPages(BrowsedTest):
    COUNTS = ["Note=200", "Category=8", "Tag=20"]

    def pages(self):
        yield "entities", "/"
        yield "grid", "/entity/Note?sort=createdAt&order=desc"
        yield "predicate", "/entity/Note?where=title+CONTAINS+'a'"
        yield "problem", "/entity/Note?where=titel+CONTAINS+'a'"
        yield "empty", "/entity/Note?where=title+%3D%3D+'nothing+is+called+so'"
        yield "object", self.first_object("Note")
        yield "category", self.first_object("Category")
        yield "deletion", self.first_object("Category") + "/deletion"
        yield "orphans", "/entity/Tag/orphans"
        yield "counts", "/entity/Note/facet?by=createdAt"
        yield "values", "/entity/Note/facet?by=category"
        yield "model", "/model"
        yield "diagram", "/diagram"
        yield "nothing", "/nothing"

    def test_all_pages(self):
        for name, path in self.pages():
            self.check_widths(name, path)

    def test_what_opens(self):
        self.go("/entity/Note")
        self.page.locator(".statement summary").click()
        self.page.get_by_role("button", name="createdAt").click()
        self.page.locator("#facet .facet").wait_for()
        self.check_accessibility()
        self.picture(f"opened-{self.SCHEME}")
        self.page.keyboard.press("/")
        self.page.keyboard.type("c")
        self.page.get_by_role("option").first.wait_for()
        self.check_accessibility()
        self.picture(f"completion-{self.SCHEME}")
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Escape")
        self.page.get_by_role("button", name="Keys").click()
        self.check_accessibility()
        self.picture(f"keys-{self.SCHEME}")


class DarkPages(LightPages):
    SCHEME = "dark"


if __name__ == "__main__":
    unittest.main()

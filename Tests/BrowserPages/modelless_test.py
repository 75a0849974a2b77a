"""The pages of a store without a model: they show what its tables contain, and say that the model is missing."""

import sqlite3
import unittest

from browsed import BrowsedTest

NOTICE = "These pages do not go by the store’s own model."


class LightWithoutModel(BrowsedTest):
    @classmethod
    def make_store(cls):
        super().make_store()
        database = sqlite3.connect(cls.store)
        with database:
            database.execute("DELETE FROM Z_MODELCACHE")
        database.close()
        return []

    def test_a_person_is_told_on_each_page_that_the_model_is_not_the_stores_own(self):
        for path in ["/", "/entity/Note", "/entity/Note/1", "/entity/Category/orphans", "/model", "/diagram"]:
            with self.subTest(path):
                self.go(path)
                self.assertIn(NOTICE, self.page.locator(".notice").inner_text())
        self.go("/entity/Category/1/deletion")
        self.assertIn("which is not the store’s own", self.page.locator("main .note").first.inner_text())


if __name__ == "__main__":
    unittest.main()

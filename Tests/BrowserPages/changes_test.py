"""How a page shows changes that other processes save."""

import json
import subprocess
import unittest

from browsed import MODEL, PERENNIAL, BrowsedTest


class Changes(BrowsedTest):
    COUNTS = ["Note=20", "Category=3", "Tag=3"]

    def test_what_another_process_saves_is_told_and_shown(self):
        self.go("/entity/Category")
        news = self.page.locator(".news")
        self.assertFalse(news.is_visible())
        # From here on the server notifies the page of changes.
        self.page.locator("[data-changes][data-open]").wait_for(state="attached")
        seed = self.folder / "more.json"
        seed.write_text(json.dumps({"Category": [{"name": "Brought by another process"}]}))
        subprocess.run(
            [PERENNIAL, "seed", str(MODEL), str(seed), "--store", str(self.store)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        news.wait_for(state="visible")
        news.get_by_role("link", name="Show").click()
        self.page.get_by_text("Brought by another process").wait_for()


if __name__ == "__main__":
    unittest.main()

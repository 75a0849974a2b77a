"""The tasks of a person who looks up who saved what, in a store whose history Apple's framework has recorded."""

import shutil
import unittest

from browsed import ROOT, BrowsedTest

FIXTURE = ROOT.parent / "shared/fixtures/coredataplus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"


@unittest.skipUnless(FIXTURE.exists(), "the stores that Apple's framework has made are not beside the package")
class LightHistory(BrowsedTest):
    @classmethod
    def make_store(cls):
        shutil.copy(FIXTURE, cls.store)
        return []

    def test_a_person_goes_from_who_saved_an_object_to_its_other_changes_and_back(self):
        self.go("/history")
        change = self.page.locator(".changes li").first
        name = change.get_by_role("link").first.inner_text()
        change.get_by_role("link", name="History of").click()
        self.page.get_by_role("link", name="Show all").wait_for()
        self.assertIn(name, self.page.locator(".scope").inner_text())
        self.page.go_back()
        self.page.locator(".changes li").first.get_by_role("link").first.click()
        self.assertEqual(self.page.locator("h1").inner_text(), name)

    def test_a_person_sees_what_is_different_between_two_moments(self):
        self.go("/history")
        self.page.get_by_role("radio", name="to").first.check()
        self.page.get_by_role("button", name="Show the difference").click()
        self.assertEqual(self.page.locator("h1").inner_text(), "Between two moments")
        self.assertGreater(self.page.locator(".changes li").count(), 0)


if __name__ == "__main__":
    unittest.main()

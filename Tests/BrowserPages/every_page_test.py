"""Every page in every state: accessible and no wider than its window, at three widths in both color schemes.

A page belongs into the lists of this file. `EveryRoute` fails as long as a route of the sources is in none of them.
"""

import contextlib
import json
import sqlite3
import subprocess
import unittest
import urllib.parse

import routes
import tours
from browsed import PERENNIAL, BrowsedTest, Server

# A predicate whose answer takes far longer than a read may: every step is compared with the steps of all tours.
SLOW = (
    "SUBQUERY(tour.guide.tours, $a, "
    "SUBQUERY($a.guide.tours, $b, ANY $b.steps.title MATCHES '(S*t*)*(o*p*)*x').@count > 0).@count > 0"
)

# A seed with a new object and a changed one.
SEED = {"Person": [{"name": "Imported"}, {"name": "Ada", "email": "new@example.com"}]}

# Routes without a page: what they answer with.
FILES = {
    "GET assets/\\(asset.name)": "a style sheet, script or picture of the pages",
    "GET changes": "events",
    "GET counts.json": "numbers for a script",
    "GET diagram.dot": "a download",
    "GET diagram.svg": "a download",
    "GET entity/:entity/:key/export.seed.json": "a download",
    "GET entity/:entity/:key/value/:attribute": "a picture, a plain text or a download",
    "GET entity/:entity/completions.json": "completions for a script",
    "GET entity/:entity/count.json": "a number for a script",
    "GET entity/:entity/export.\\(format.rawValue)": "a download",
    "GET entity/:entity/export.seed.json": "a download",
}
REDIRECTS = {
    "GET comparison/start",
    "GET comparison/stop",
    "GET entity/:entity/:key/\\(name)",
    "POST edits/cancel",
    "POST edits/discard",
    "POST edits/redo",
    "POST edits/undo",
}

# The pages of a store that is only read: a name, the route, and the address or the function that opens it.
READ = [
    ("entities", "GET", "/"),
    ("entities-found", "GET", "/?find=to"),
    ("entities-not-found", "GET", "/?find=nothing"),
    ("grid", "GET entity/:entity", "/entity/Tour"),
    ("grid-sorted", "GET entity/:entity", "/entity/Tour?sort=startsOn&order=desc"),
    ("grid-of-subentities", "GET entity/:entity", "/entity/Place"),
    ("grid-last-page", "GET entity/:entity", lambda test: test.last_page("/entity/Step")),
    ("grid-predicate", "GET entity/:entity", "/entity/Tour?where=rating+>+2"),
    ("grid-problem", "GET entity/:entity", "/entity/Tour?where=ratin+>+2"),
    ("grid-empty", "GET entity/:entity", "/entity/Tour?where=rating+>+7"),
    ("grid-ordered", "GET entity/:entity", lambda test: test.relationship_grid("Tour", "as a grid")),
    ("grid-without-scripts", "GET entity/:entity", lambda test: test.go_without_scripts("/entity/Tour")),
    ("grid-counts-opened", "GET entity/:entity", lambda test: test.opened_counts()),
    ("grid-column-opened", "GET entity/:entity", lambda test: test.opened_column()),
    ("grid-completion-opened", "GET entity/:entity", lambda test: test.opened_completion()),
    ("grid-details-opened", "GET entity/:entity", lambda test: test.opened_details()),
    ("keys", "GET entity/:entity", lambda test: test.opened_keys()),
    ("search-of-entities", "GET model", lambda test: test.typed_entity()),
    ("counts-of-objects", "GET entity/:entity/facet", "/entity/Tour/facet?by=guide"),
    ("counts-of-dates", "GET entity/:entity/facet", "/entity/Tour/facet?by=startsOn"),
    ("counts-of-numbers", "GET entity/:entity/facet", "/entity/Step/facet?by=minutes&where=minutes+>+5"),
    ("counts-of-nothing", "GET entity/:entity/facet", "/entity/Tour/facet?by=nothing"),
    ("filter-text", "GET entity/:entity/filter", "/entity/Tour/filter?by=name"),
    ("filter-number", "GET entity/:entity/filter", "/entity/Tour/filter?by=rating"),
    ("filter-date", "GET entity/:entity/filter", "/entity/Tour/filter?by=startsOn"),
    ("filter-boolean", "GET entity/:entity/filter", "/entity/Tour/filter?by=isPublished"),
    ("filter-identifier", "GET entity/:entity/filter", "/entity/Tour/filter?by=identifier"),
    ("filter-relationship", "GET entity/:entity/filter", "/entity/Tour/filter?by=guide"),
    ("filter-problem", "GET entity/:entity/filter", "/entity/Tour/filter?by=rating&do=between&least=many"),
    ("columns", "GET entity/:entity/columns", "/entity/Tour/columns"),
    ("columns-hidden", "GET entity/:entity/columns", "/entity/Tour/columns?column=price&do=hide"),
    ("duplicates", "GET entity/:entity/duplicates", "/entity/Tour/duplicates"),
    ("duplicates-found", "GET entity/:entity/duplicates", "/entity/Sight/duplicates?by=name"),
    ("duplicates-none", "GET entity/:entity/duplicates", "/entity/Tour/duplicates?by=name"),
    ("unreferenced", "GET entity/:entity/orphans", "/entity/Place/orphans"),
    ("unreferenced-none", "GET entity/:entity/orphans", "/entity/Tour/orphans"),
    ("unreferenced-never", "GET entity/:entity/orphans", "/entity/Bookmark/orphans"),
    ("seed-of-objects", "GET entity/:entity/seed", "/entity/Tour/seed?where=rating+>+2"),
    ("seed-of-nothing", "GET entity/:entity/seed", "/entity/Tour/seed?where=rating+>+7"),
    ("seed-of-object", "GET entity/:entity/:key/seed", "/entity/Tour/1/seed"),
    ("object", "GET entity/:entity/:key", "/entity/Tour/1"),
    ("object-long", "GET entity/:entity/:key", "/entity/Tour/20"),
    ("object-picture", "GET entity/:entity/:key", lambda test: test.object_of("Sight", "name == 'Lisbon' AND page != nil")),
    ("object-bytes", "GET entity/:entity/:key", lambda test: test.object_of("Sight", "name == 'Sight 5'")),
    ("object-json", "GET entity/:entity/:key", lambda test: test.object_of("Sight", "name == 'Sight 6'")),
    ("value-of-text", "GET entity/:entity/:key/value/:attribute/page", "/entity/Tour/1/value/name/page"),
    ("value-of-picture", "GET entity/:entity/:key/value/:attribute/page", lambda test: test.picture_of("Sight", "name == 'Lisbon' AND page != nil")),
    ("object-without-scripts", "GET entity/:entity/:key", lambda test: test.go_without_scripts("/entity/Tour/1")),
    ("deletion", "GET entity/:entity/:key/deletion", "/entity/Tour/1/deletion"),
    ("deletion-alone", "GET entity/:entity/:key/deletion", "/entity/Bookmark/1/deletion"),
    ("deletion-forbidden", "GET entity/:entity/:key/deletion", lambda test: test.deletion_of("Person", "name == 'Ada'")),
    ("model", "GET model", "/model"),
    ("model-difference", "GET model/difference", "/model/difference"),
    ("diagram", "GET diagram", "/diagram"),
    ("diagram-of-entity", "GET diagram", "/diagram?entity=Tour&distance=1"),
    ("diagram-searched", "GET diagram", lambda test: test.searched_diagram()),
    ("diagram-not-found", "GET diagram", "/diagram?find=nothing"),
    ("diagram-without-scripts", "GET diagram", lambda test: test.go_without_scripts("/diagram")),
    ("history", "GET history", "/history"),
    ("history-filtered", "GET history", "/history?entity=Tour"),
    ("history-empty", "GET history", "/history?since=2099-01-01T00:00"),
    ("history-of-object", "GET history", lambda test: test.object_history()),
    ("transaction", "GET history/transaction/:number", "/history/transaction/1"),
    ("moments", "GET history/difference", "/history/difference?from=1&to=2"),
    ("moments-now", "GET history/difference", "/history/difference"),
    ("moments-beyond", "GET history/difference", "/history/difference?page=900"),
    ("comparison-before", "GET comparison", "/comparison"),
    ("comparison", "GET comparison", lambda test: test.compare()),
    ("compared-here", "GET comparison/entity/:entity", lambda test: test.compared("only in this store")),
    ("compared-there", "GET comparison/entity/:entity", lambda test: test.compared("only in the other store")),
    ("compared-different", "GET comparison/entity/:entity", lambda test: test.compared("different")),
    ("compared-none", "GET comparison/entity/:entity", "/comparison/entity/Step?way=here"),
    ("object-here", "GET comparison/entity/:entity/object", lambda test: test.compared_object("only in this store")),
    ("object-there", "GET comparison/entity/:entity/object", lambda test: test.compared_object("only in the other store")),
    ("object-different", "GET comparison/entity/:entity/object", lambda test: test.compared_object("different")),
    ("link", "GET link", "/link?then=/entity/Tour"),
    ("no-such-page", "GET **", "/nothing"),
    ("no-such-entity", "GET entity/:entity", "/entity/Nothing"),
    ("no-such-object", "GET entity/:entity/:key", "/entity/Tour/999"),
]

# The pages of a store that is edited, in the order in which a person comes to them.
WRITTEN = [
    ("edits-none", "GET edits", "/edits"),
    ("conflicts-none", "GET edits/conflicts", "/edits/conflicts"),
    ("saving-none", "GET edits", "/edits/saving"),
    ("new", "GET entity/:entity/new", "/entity/Tour/new"),
    ("new-abstract", "GET entity/:entity/new", "/entity/Place/new"),
    ("new-problem", "POST entity/:entity/new", lambda test: test.create("Tour")),
    ("edit", "GET entity/:entity/:key/edit", "/entity/Tour/1/edit"),
    ("edit-bytes", "GET entity/:entity/:key/edit", lambda test: test.edit_of("Sight", "name == 'Lisbon' AND page != nil")),
    ("edit-without-scripts", "GET entity/:entity/:key/edit", lambda test: test.go_without_scripts("/entity/Tour/1/edit")),
    ("edit-problem", "POST entity/:entity/:key/edit", lambda test: test.change("/entity/Tour/1", "startsOn", "yesterday")),
    ("relate-problem", "POST entity/:entity/:key/relate/:relationship", lambda test: test.choose_after_mistake()),
    ("relate", "GET entity/:entity/:key/relate/:relationship", "/entity/Tour/1/relate/guide"),
    ("relate-many", "GET entity/:entity/:key/relate/:relationship", "/entity/Tour/1/relate/steps"),
    ("relate-not-found", "GET entity/:entity/:key/relate/:relationship", "/entity/Tour/1/relate/guide?search=nothing"),
    ("deletion-of-written", "GET entity/:entity/:key/deletion", "/entity/Tour/20/deletion"),
    ("deletion-disabled", "GET entity/:entity/:key/deletion", lambda test: test.deletion_of("Person", "name == 'Ada'")),
    ("seed-typed", "GET seed", "/seed"),
    ("seed-problem", "POST seed", lambda test: test.preview('{"Person": [\n{"nam": 1}]}')),
    ("seed-preview", "GET seed/:seed", lambda test: test.preview(json.dumps(SEED))),
    ("seed-done", "GET seed/:seed", lambda test: test.press("Import")),
    ("seed-gone", "POST seed/:seed", lambda test: test.import_gone()),
    ("edited-object", "GET entity/:entity/:key", lambda test: test.stage()),
    ("edited-form", "GET entity/:entity/:key/edit", "/entity/Tour/1/edit"),
    ("edited-entities", "GET", "/"),
    ("edited-grid", "GET entity/:entity", "/entity/Tour"),
    ("edited-duplicates", "GET entity/:entity/duplicates", "/entity/Tour/duplicates?by=rating"),
    ("edited-unreferenced", "GET entity/:entity/orphans", "/entity/Sight/orphans"),
    ("edited-counts", "GET entity/:entity/facet", "/entity/Tour/facet?by=rating"),
    ("deleted-object", "GET entity/:entity/:key", "/entity/Tour/20"),
    ("edits", "GET edits", "/edits"),
    ("edits-asked", "GET edits", lambda test: test.opened_discarding()),
    ("edits-new", "GET edits", lambda test: test.new_objects()),
    ("edits-undone", "GET edits", lambda test: test.press("Undo")),
    ("deletion-refused", "POST entity/:entity/:key/deletion", lambda test: test.refused_deletion()),
    ("saving", "GET edits/saving", lambda test: test.begin_waiting_save()),
    ("saving-elsewhere", "GET entity/:entity", "/entity/Tour"),
    ("saving-refused", "POST entity/:entity/:key/edit", lambda test: test.change("/entity/Tour/2", "name", "Meanwhile")),
    ("edits-cancelled", "GET edits", lambda test: test.cancel_save()),
    ("edits-invalid", "POST edits/save", lambda test: test.save_invalid()),
    ("conflicts", "GET edits/conflicts", lambda test: test.conflict()),
    ("conflicts-outdated", "POST edits/conflicts", lambda test: test.outdated_decision()),
]


class EveryRoute(unittest.TestCase):
    def test_each_route_of_the_sources_is_in_the_lists_of_pages_files_and_redirects(self):
        listed = {route for _, route, _ in READ + WRITTEN} | set(FILES) | REDIRECTS
        declared = routes.declared()
        self.assertGreater(len(declared), 40, "the routes are declared otherwise now")
        self.assertEqual(declared - listed, set(), "routes whose pages no test opens")
        self.assertEqual(listed - declared, set(), "pages of routes that are gone")

    def test_no_two_pages_have_one_name(self):
        names = [name for name, _, _ in READ + WRITTEN]
        self.assertEqual(len(names), len(set(names)))


class Pages(BrowsedTest):
    """Opens pages and checks each of them."""

    RECORDED = True

    @classmethod
    def make_store(cls):
        tours.make(cls.store, recorded=cls.RECORDED)
        return ["--model", str(tours.MODEL)]

    def setUp(self):
        self.answers = []
        super().setUp()
        self.page.on("response", self.record)
        self.page.on("dialog", lambda dialog: dialog.accept())

    def note(self, message):
        # The pages of a busy or forbidden store answer with an error, and so does a script's request for a part of one.
        if message.type == "error" and "the server responded with a status of" not in message.text:
            self.problems.append(message.text)

    def record(self, response):
        if not response.url.startswith(self.server.base):
            return
        path = urllib.parse.urlsplit(response.url).path.removeprefix(self.server.path)
        self.answers.append((response.request.method, path, response.status, response.header_value("content-type") or ""))

    def check(self, pages):
        known = routes.declared()
        for name, route, opening in pages:
            with self.subTest(name):
                self.answers.clear()
                self.page.set_viewport_size({"width": 1280, "height": 900})
                if callable(opening):
                    opening(self)
                else:
                    self.go(opening)
                self.assertEqual(self.route(known), route)
                self.check_everywhere(name)
                self.check_answers(known)
                self.page.unroute_all()

    def route(self, known):
        """The route of the page that the browser shows."""
        path = urllib.parse.urlsplit(self.page.url).path.removeprefix(self.server.path)
        methods = [method for method, asked, status, _ in self.answers if asked == path and not 300 <= status < 400]
        return routes.matching(methods[-1] if methods else "GET", path, known)

    def check_answers(self, known):
        """Checks that no route of a file or of a redirect answers with a page of its own."""
        for method, path, status, kind in self.answers:
            route = routes.matching(method, path, known)
            if route in FILES and status == 200:
                self.assertNotIn("text/html", kind, path)
            if route in REDIRECTS:
                self.assertEqual(status, 303, path)

    # What a person does to come to a page.

    def go_without_scripts(self, path):
        self.page.route("**/*.js", lambda route: route.abort())
        self.page.remove_listener("console", self.note)
        self.go(path)
        self.page.on("console", self.note)

    def address(self, entity, predicate):
        """The address of the first object that a predicate finds."""
        self.go(f"/entity/{entity}?where={urllib.parse.quote_plus(predicate)}")
        return self.page.locator("tr[data-row] th a").first.get_attribute("href").split("?")[0]

    def object_of(self, entity, predicate):
        self.go(self.address(entity, predicate))

    def picture_of(self, entity, predicate):
        self.go(self.address(entity, predicate) + "/value/photo/page")

    def deletion_of(self, entity, predicate):
        self.go(self.address(entity, predicate) + "/deletion")

    def edit_of(self, entity, predicate):
        self.go(self.address(entity, predicate) + "/edit")

    def press(self, name):
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=name, exact=name == "Import").first.click()


class ReadPages(Pages):
    @classmethod
    def options(cls):
        other = cls.folder / "Backup.sqlite"
        subprocess.run(
            [PERENNIAL, "copy", str(cls.store), str(other), "--model", str(tours.MODEL)], check=True, stdout=subprocess.DEVNULL
        )
        tours.load(other, {"Tour": [{"name": "Only in the backup"}, {"name": "Tour 3", "rating": 0}]})
        tours.load(cls.store, {"Tour": [{"name": "Only here"}]})
        model = cls.folder / "Changed.xcdatamodel"
        model.mkdir()
        text = (tours.MODEL / "contents").read_text()
        added = '<entity name="Guide book"><attribute name="pages" attributeType="Integer 16" defaultValueString="0"/></entity>'
        text = text.replace("</model>", added + "</model>").replace('name="minutes" optional="YES"', 'name="minutes"')
        (model / "contents").write_text(text)
        return ["--compare", str(other), "--against", str(model)]

    def test_all_can_use_every_page_of_a_store_that_is_read(self):
        self.check(READ)

    def last_page(self, path):
        self.go(path)
        self.page.get_by_role("link", name="Last", exact=True).click()
        self.page.get_by_role("link", name="First", exact=True).wait_for()

    def relationship_grid(self, entity, name):
        self.go(f"/entity/{entity}/1")
        self.page.locator(".related").get_by_role("link", name=name).first.click()
        self.page.get_by_role("columnheader", name="Place", exact=True).wait_for()

    def opened_counts(self):
        self.go("/entity/Tour")
        self.page.get_by_role("button", name="startsOn", exact=True).click()
        self.page.locator("#facet .facet").wait_for()

    def opened_column(self):
        self.go("/entity/Tour")
        self.page.locator("[data-column]").first.click()
        self.page.locator("#facet .facet").wait_for()

    def opened_completion(self):
        self.go("/entity/Tour")
        self.page.keyboard.press("/")
        self.page.keyboard.type("r")
        self.page.get_by_role("option").first.wait_for()

    def opened_details(self):
        self.go("/entity/Tour?where=rating+>+1")
        for details in self.page.locator(".tools summary").all():
            details.click()

    def opened_keys(self):
        self.go("/entity/Tour")
        self.page.keyboard.press("?")
        self.page.get_by_role("dialog").wait_for()

    def typed_entity(self):
        self.go("/model")
        self.page.locator("[data-side-find]").fill("to")

    def searched_diagram(self):
        self.go("/diagram")
        self.page.locator("[data-diagram-find]").fill("tour")
        self.page.locator(".dg-found").first.wait_for()

    def object_history(self):
        self.go("/entity/Tour/2")
        self.page.locator("main").get_by_role("link", name="History", exact=True).click()
        self.page.get_by_role("link", name="Show all").wait_for()

    def compare(self):
        self.go("/comparison")
        self.page.get_by_role("button", name="Compare").click()
        self.page.get_by_role("button", name="Compare anew").wait_for()

    def compared(self, way):
        self.go("/comparison")
        self.page.get_by_role("main").get_by_role("link", name=f"of Tour, {way}").click()
        self.page.locator("ul.lines li").first.wait_for()

    def compared_object(self, way):
        self.compared(way)
        self.page.locator("ul.lines a").first.click()
        self.page.wait_for_url("**/object?*")


class WrittenPages(Pages):
    @classmethod
    def options(cls):
        return ["--write"]

    def test_all_can_use_every_page_of_a_store_that_is_edited(self):
        self.check(WRITTEN)

    def box(self, name):
        return self.page.get_by_label(name).and_(self.page.locator("[id^=field-]")).first

    def create(self, entity):
        self.go(f"/entity/{entity}/new")
        self.press("Create")

    def change(self, place, name, text):
        self.go(place + "/edit")
        self.box(name).fill(text)
        self.press("Change")

    def choose_after_mistake(self):
        self.go("/entity/Tour/1/edit")
        self.box("startsOn").fill("yesterday")
        self.press("Choose guide")

    def preview(self, seed):
        self.go("/seed")
        self.page.get_by_label("Seed (JSON)").fill(seed)
        self.press("Preview")

    def import_gone(self):
        """Imports a seed that another window has replaced since."""
        self.preview(json.dumps({"Person": [{"name": "Not imported"}]}))
        self.page.evaluate("document.querySelector('form[action*=\"/seed/\"]').action += 'gone'")
        self.press("Import")

    def stage(self):
        """Stages a change of values and members, a new object, and a deletion."""
        self.change("/entity/Tour/1", "name", "A long name " * 20)
        self.go("/entity/Tour/1/edit")
        self.page.locator("button", has_text="↓").first.click()
        self.page.get_by_text("2 changes not saved").or_(self.page.locator(".strip")).first.wait_for()
        self.go("/entity/Tour/new")
        self.box("name").fill("Made in a page")
        self.press("Create")
        self.go("/entity/Tour/20/deletion")
        self.press("Delete")
        self.go("/entity/Tour/1")

    def opened_discarding(self):
        self.go("/edits")
        self.page.get_by_text("Discard all…").click()

    def new_objects(self):
        self.go("/entity/Tour")
        self.page.locator("#saved-store a").nth(1).click()
        self.page.get_by_role("link", name="All unsaved changes").wait_for()

    def refused_deletion(self):
        """Sends the form of a deletion that a save in another window has made impossible."""
        self.go("/entity/Bookmark/1/deletion")
        address = self.address("Person", "name == 'Ada'") + "/deletion"
        self.go("/entity/Bookmark/1/deletion")
        self.page.evaluate("path => { document.querySelector('form[action$=\"/deletion\"]').action = path }", address)
        self.press("Delete")

    def begin_waiting_save(self):
        self.lock = sqlite3.connect(self.store, timeout=600, isolation_level=None)
        # The cleanup also ends the transaction of a failed test.
        self.addCleanup(self.lock.close)
        self.lock.execute("BEGIN IMMEDIATE")
        self.go("/edits")
        self.press("Save all")
        self.page.get_by_text("Waiting for another program").wait_for()

    def cancel_save(self):
        with contextlib.closing(self.lock):
            self.page.get_by_role("link", name="A save waits for another program").click()
            self.press("Cancel the save")
            self.page.get_by_text("The save was cancelled.").wait_for()

    def discard(self):
        self.opened_discarding()
        self.press("Discard all changes")

    def save_invalid(self):
        """Saves a step without its required tour."""
        self.discard()
        self.go("/entity/Step/new")
        self.box("title").fill("Without a tour")
        self.press("Create")
        self.go("/edits")
        self.press("Save all")

    def conflict(self):
        self.discard()
        self.change("/entity/Tour/1", "name", "Mine")
        tours.statement(self.store, "UPDATE ZTOUR SET ZNAME = 'Theirs', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
        self.go("/edits")
        self.press("Save all")

    def outdated_decision(self):
        """Decides on conflicts that are not those of the save, as after another save in a second window."""
        self.go("/edits/conflicts")
        self.page.evaluate("document.querySelector('input[name=stamp]').value = 'of an earlier save'")
        self.press("Save with these decisions")


class PlainPages(Pages):
    """The pages of a store without a history, to which nothing is compared, and the refusals of the server."""

    RECORDED = False

    def test_all_can_use_the_pages_that_say_what_a_store_does_not_have(self):
        self.check(
            [
                ("no-history", "GET history", "/history"),
                ("no-comparison", "GET comparison", "/comparison"),
                ("no-other-model", "GET model/difference", "/model/difference"),
            ]
        )

    def test_all_can_use_the_page_of_a_browser_without_the_address(self):
        self.context.clear_cookies()
        self.go("/")
        self.assertEqual(self.page.locator("h1").inner_text(), "The store is not open in this browser")
        self.check_everywhere("refused")

    def test_all_can_use_the_page_that_opens_the_store(self):
        def without_refresh(route):
            response = route.fetch()
            route.fulfill(response=response, body=response.text().replace('http-equiv="refresh"', ""))

        self.page.route("**/open/**", without_refresh)
        self.page.goto(self.server.address)
        self.page.get_by_role("link", name="Open the store").wait_for()
        self.check_everywhere("opening")
        self.page.unroute_all()

    def test_all_can_use_the_page_of_a_read_that_took_too_long(self):
        hurried = Server(self.store, "--model", str(tours.MODEL), "--time-limit", "0.1")
        with contextlib.closing(self.browser_context()) as context:
            self.page = context.new_page()
            self.page.goto(hurried.address)
            self.page.wait_for_url(hurried.base + "/")
            self.page.goto(hurried.url("/entity/Step?where=" + urllib.parse.quote(SLOW)))
            self.check_everywhere("too-long")
        hurried.stop()


class PagesWithoutModel(Pages):
    """The pages of a store whose model is missing."""

    @classmethod
    def make_store(cls):
        super().make_store()
        tours.statement(cls.store, "DELETE FROM Z_MODELCACHE")
        return []

    def test_all_can_use_the_pages_of_a_store_without_a_model(self):
        self.check(
            [
                ("without-model", "GET", "/"),
                ("without-model-object", "GET entity/:entity/:key", "/entity/Tour/1"),
                ("without-model-deletion", "GET entity/:entity/:key/deletion", "/entity/Tour/1/deletion"),
            ]
        )


del Pages

if __name__ == "__main__":
    unittest.main()

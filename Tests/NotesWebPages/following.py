"""Following: a page shows the changes of others immediately."""

import json

from .cases import Server, check, titles

ASH = "The ash is late"


def test_a_note_of_another_tab_is_in_the_list_at_once(case):
    one, two = case.tab(), case.tab("/notes/new")
    two.get_by_label("Title").fill("Seen at once")
    two.get_by_role("button", name="Save").click()
    one.get_by_role("link", name="Seen at once").wait_for()
    one.get_by_text("37 notes", exact=True).wait_for()
    check(one.locator(".fresh .title").inner_text() == "Seen at once", "the new note is not marked")
    check(one.get_by_text("One note has changed.").count() == 1, "the change is not read out")


def test_a_note_that_is_read_changes_under_the_reader_and_says_when_it_is_gone(case):
    case.allowed = ("404",)
    reader, writer = case.open(ASH), case.open(ASH)
    writer.get_by_role("link", name="Edit", exact=True).click()
    writer.get_by_label("Title").fill("The ash was felled")
    writer.get_by_role("button", name="Save").click()
    reader.wait_for_selector("h1:has-text('The ash was felled')")
    writer.get_by_role("button", name="Delete").click()
    reader.get_by_text("Somebody has deleted this note.").wait_for()
    check(reader.locator("#delete").count() == 0, "it can be deleted once more")
    writer.get_by_role("button", name="Undo").click()
    reader.get_by_role("link", name="The ash was felled").wait_for()


def test_a_list_that_is_filtered_stays_so_when_it_changes(case):
    one, two = case.tab("/?category=Birds"), case.tab("/notes/new?category=Birds")
    check(len(titles(one)) == 4, "the filter does not filter")
    two.get_by_label("Title").fill("A jay")
    two.get_by_role("button", name="Save").click()
    one.get_by_role("link", name="A jay").wait_for()
    check(len(titles(one)) == 5, f"the filter is lost: {titles(one)}")


def test_the_focus_stays_where_it_was_when_the_list_changes(case):
    one, two = case.tab(), case.tab("/notes/new")
    one.get_by_role("link", name=ASH).focus()
    two.get_by_label("Title").fill("Seen at once")
    two.get_by_role("button", name="Save").click()
    one.get_by_role("link", name="Seen at once").wait_for()
    focused = one.evaluate("document.activeElement.textContent")
    check(focused == ASH, f"the focus is at {focused}")


def test_a_first_launch_shows_how_far_it_is_and_then_the_notes(case):
    folder = case.folder / "first"
    folder.mkdir()
    # The seed is incomplete until the test has written all of it.
    server = Server(case.program, folder, "-")
    context = case.browser.new_context()
    try:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_text("The first notes are on their way").wait_for()
        check(page.get_by_role("progressbar").count() == 1, "there is no bar")
        notes = [{"title": f"Note {number}", "createdAt": "2024-01-01"} for number in range(3)]
        server.give(json.dumps({"notes": notes}))
        page.get_by_role("link", name="Note 2").wait_for()
        page.wait_for_selector("#seeding:not(:has(*))", state="attached")
    finally:
        context.close()
        server.end()


def test_a_page_finds_back_to_a_server_that_was_started_again(case):
    case.allowed = ("ERR_", "net::")
    page = case.tab()
    launch = page.evaluate("state.version").split(".")[0]
    case.server.end()
    case.server = Server(case.program, case.folder, port=case.server.address.rsplit(":", 1)[1])
    # The page reconnects to the event stream automatically, and shows the state of the new server.
    page.wait_for_function("launch => !state.version.startsWith(launch)", arg=launch)
    other = case.tab("/notes/new")
    other.get_by_label("Title").fill("Seen again")
    other.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Seen again").wait_for()

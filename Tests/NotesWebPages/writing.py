"""Writing: forms, their error messages, and undo."""

from .cases import Server, check, titles

ASH = "The ash is late"


def test_a_note_is_written_edited_deleted_and_taken_back(case):
    page = case.tab()
    page.keyboard.press("n")
    page.wait_for_selector("#note-form")
    page.wait_for_function("document.activeElement.id == 'title'")
    page.keyboard.type("A wren in the ivy")
    page.get_by_label("Note", exact=True).fill("It sang.\n\nTwice.")
    page.get_by_label("Birds").check()
    page.get_by_label("Winter").check()
    page.get_by_label("Others, with commas").fill("Song, Ivy")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("h1:has-text('A wren in the ivy')")
    check(page.locator(".prose").inner_text() == "It sang.\n\nTwice.", "the lines are not kept")
    tags = page.locator("#note .tag span[dir]").all_inner_texts()
    check(tags == ["Ivy", "Song", "Winter"], f"the tags are {tags}")
    check("undo" not in page.url, "the address says what was done")

    page.keyboard.press("e")
    page.wait_for_selector("#note-form")
    page.get_by_label("Title").fill("A wren in the holly")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("h1:has-text('A wren in the holly')")

    page.get_by_role("button", name="Delete").click()
    page.get_by_text("was deleted").wait_for()
    check("A wren in the holly" not in titles(page), "the note is still there")
    page.keyboard.press("z")
    page.wait_for_selector("h1:has-text('A wren in the holly')")
    tags = page.locator("#note .tag span[dir]").all_inner_texts()
    check(tags == ["Ivy", "Song", "Winter"], f"the tags are {tags}")
    check(page.locator("#note .kind").inner_text() == "Birds", "the category is gone")


def test_what_is_wrong_is_told_at_its_field_and_nothing_is_lost(case):
    page = case.tab("/notes/new")
    page.get_by_label("Note", exact=True).fill("kept")
    page.get_by_label("Others, with commas").fill("x" * 41)
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Not saved yet").wait_for()
    case.allowed = ("422",)
    # Screen readers announce the errors.
    page.wait_for_function("document.activeElement.className == 'notice errors'")
    check(page.get_by_label("Title").get_attribute("aria-invalid") == "true", "the title is not marked")
    page.get_by_role("link", name="A note needs a title.").click()
    page.get_by_label("Title").fill("Now")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="A tag has at most 40 characters; shorten it.").wait_for()
    check(page.get_by_label("Note", exact=True).input_value() == "kept", "the text is lost")
    page.get_by_label("Others, with commas").fill("")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("h1:has-text('Now')")


def test_two_tabs_that_edit_one_note_see_both_versions(case):
    case.allowed = ("409",)
    one, two = case.open(ASH), case.open(ASH)
    for page in (one, two):
        page.get_by_role("link", name="Edit", exact=True).click()
        page.wait_for_selector("#note-form")
        page.wait_for_selector("body[data-live]")
    two.get_by_label("Title").fill("Yours")
    one.get_by_label("Title").fill("Mine")
    one.get_by_role("button", name="Save").click()
    one.wait_for_selector("h1:has-text('Mine')")
    # The server notifies the other tab immediately, and its form stays as it is.
    two.get_by_text("Somebody has just changed this note.").wait_for()
    check(two.get_by_label("Title").input_value() == "Yours", "what was written is lost")
    two.get_by_role("button", name="Save").click()
    two.get_by_text("Somebody changed this note while you were writing").wait_for()
    check(two.locator("#theirs h3").inner_text() == "Mine", "the other version is not shown")
    check(two.get_by_label("Title").input_value() == "Yours", "what was written is lost")
    two.get_by_role("button", name="Save mine over it").click()
    two.wait_for_selector("h1:has-text('Yours')")


def test_a_form_that_is_left_asks_first(case):
    page = case.open(ASH)
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Title").press_sequentially("x")
    page.on("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as asked:
        page.get_by_role("link", name="Cancel").click(no_wait_after=True)
    check(asked.value.type == "beforeunload", f"it asked {asked.value.message}")
    check(page.url.endswith("/edit"), "the form was left")


def test_a_form_outlives_a_restart_of_the_server(case):
    case.allowed = ("403", "ERR_", "net::")
    page = case.open(ASH)
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Title").fill("Kept")
    case.server.end()
    case.server = Server(case.program, case.folder, port=case.server.address.rsplit(":", 1)[1])
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Nothing is lost: save once more.").wait_for()
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("h1:has-text('Kept')")

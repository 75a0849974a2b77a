"""Reading: with and without JavaScript."""

from .cases import check, titles

ASH = "The ash is late"


def test_a_first_launch_shows_the_notes_of_the_seed_by_date(case):
    page = case.tab()
    found = titles(page)
    check(len(found) == 36, f"there are {len(found)} notes")
    check(found[0] == "Holly is armed where deer can reach", f"the first one is {found[0]}")
    page.get_by_text("36 notes", exact=True).wait_for()


def test_a_person_searches_filters_reads_and_comes_back(case):
    page = case.tab()
    page.get_by_role("searchbox").fill("frost")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url("**q=frost*")
    check(len(titles(page)) == 3, f"frost finds {titles(page)}")
    page.get_by_role("link", name="Edible").first.click()
    page.wait_for_url("**tag=Edible*")
    check(titles(page) == ["Sloes after the first frost"], f"edible frost finds {titles(page)}")
    page.get_by_role("link", name="Sloes after the first frost").click()
    page.wait_for_selector("#note-title")
    check("q=frost" in page.url, "the search is forgotten at the note")
    page.go_back()
    page.wait_for_url("**tag=Edible*")
    page.reload()
    check(titles(page) == ["Sloes after the first frost"], "a reload finds something else")
    page.get_by_role("link", name="Show all").click()
    page.get_by_text("36 notes", exact=True).wait_for()


def test_all_can_be_read_and_written_without_a_script(case):
    page = case.open(ASH, java_script_enabled=False)
    check(page.locator(".prose").inner_text().startswith("Its buds are black"), "the text is missing")
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Title").fill("The ash was felled")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("h1:has-text('The ash was felled')")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("h1:has-text('The ash was felled')")
    page.get_by_text("The change was taken back.").wait_for()
    page.get_by_role("searchbox").fill("felled")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url("**q=felled*")
    check(titles(page) == ["The ash was felled"], "the search does not find it")


def test_keys_alone_find_and_open_a_note(case):
    page = case.tab()
    page.keyboard.press("j")
    page.keyboard.press("j")
    focused = page.evaluate("document.activeElement.textContent")
    check(focused == titles(page)[1], f"after two steps down it is {focused}")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_selector("#note-title")
    page.keyboard.press("/")
    page.keyboard.type("wasp")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=wasp*")
    check(len(titles(page)) == 2, "the keys did not search")


def test_single_keys_can_be_turned_off(case):
    page = case.tab()
    page.keyboard.press("?")
    page.get_by_label("Single keys do this").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("n")
    page.keyboard.press("/")
    check(page.url.rstrip("/") == case.server.address, "a key still works")
    check(page.evaluate("document.activeElement.id") != "q", "a key still works")
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Single keys do this").check()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_url("**/notes/new")


def test_text_that_looks_like_markup_is_text(case):
    page = case.tab("/notes/new")
    text = "\"><img src=x onerror=document.title='hit'><script>document.title='hit'</script>"
    page.get_by_label("Title").fill(text)
    page.get_by_label("Note", exact=True).fill(text + "\n</textarea>" + text)
    page.get_by_label("Others, with commas").fill("\"\u0301 onfocus=alert(1) autofocus x=\"")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("#note-title")
    check(page.locator("#note-title").inner_text() == text, "the title is another one")
    page.get_by_role("link", name="Edit", exact=True).click()
    page.wait_for_selector("#contents")
    check(page.get_by_label("Title").input_value() == text, "the form has another title")
    for path in ("/", page.url.removeprefix(case.server.address)):
        page.goto(case.server.address + path)
        check("hit" not in page.title().split(" – ")[-1], "markup ran")
        check(page.locator("img, script:not([src]), [onfocus], [onerror]").count() == 0, "markup is markup")


def test_notes_from_other_scripts_keep_their_direction_to_themselves(case):
    page = case.tab("/notes/new")
    page.get_by_label("Title").fill("\u202egnp.evil שלום")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("#note-title")
    direction = page.evaluate("getComputedStyle(document.querySelector('#note .when')).direction")
    check(direction == "ltr", "a title turned the page around")

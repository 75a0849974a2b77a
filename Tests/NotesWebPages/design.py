"""Design: in each size and colour scheme, axe finds no fault in any page, and nothing is cut off."""

from axe_playwright_python.sync_playwright import Axe

from .cases import check

ASH = "The ash is late"
SIZES = {400: 860, 1280: 900, 2560: 1440}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def pages(page, address):
    """Opens one page after another, and yields the name of each."""
    page.goto(address)
    yield "list"
    page.goto(address + "/?q=frost&tag=Edible")
    yield "search"
    page.goto(address + "/?q=whale")
    yield "nothing"
    page.get_by_role("link", name="Show all").click()
    page.get_by_role("link", name=ASH).click()
    page.wait_for_selector("#note-title")
    yield "note"
    edit = page.get_by_role("link", name="Edit", exact=True).get_attribute("href")
    page.goto(address + edit)
    yield "edit"
    page.get_by_label("Title").fill("")
    page.get_by_label("Others, with commas").fill("a tag that is much too long to be the name of one")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".errors")
    yield "errors"
    page.goto(address + edit)
    page.evaluate("document.querySelector('input[name=revision]').value = 'older'")
    page.get_by_label("Title").fill("The ash is the last of all")
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".conflict")
    yield "conflict"
    page.goto(address + edit.removesuffix("/edit"))
    page.get_by_role("button", name="Delete").click()
    page.wait_for_selector("#toast")
    yield "deleted"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("#toast")
    yield "undone"
    page.goto(address + "/nowhere")
    yield "nowhere"
    page.goto(address)
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    yield "keys"


def test_every_page_is_readable_in_each_size_and_colour(case):
    case.allowed = ("404", "409", "422")
    axe, faults = Axe(), []
    for scheme in ("light", "dark"):
        for width, height in SIZES.items():
            page = case.tab(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
            for name in pages(page, case.server.address):
                place = f"{name} at {width} in {scheme}"
                if case.pictures:
                    case.pictures.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=case.pictures / f"{name}-{width}-{scheme}.png")
                for violation in axe.run(page, options={**RULES, "resultTypes": ["violations"]}).response["violations"]:
                    nodes = [" ".join(node["target"]) for node in violation["nodes"]][:3]
                    faults.append(f"{place}: {violation['id']} at {nodes}")
                over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if over > 0:
                    faults.append(f"{place}: {over} pixels wider than the window")
    check(not faults, "\n  ".join(["", *sorted(set(faults))]))


def test_the_page_holds_in_a_window_of_320_pixels_as_one_that_is_enlarged_four_times_has(case):
    page = case.tab(viewport={"width": 320, "height": 640})
    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(over <= 0, f"the list is {over} pixels too wide at 320")
    page.get_by_role("link", name=ASH).click()
    page.wait_for_selector("#note-title")
    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(over <= 0, f"the note is {over} pixels too wide at 320")


def test_axe_finds_a_fault_that_was_planted(case):
    page = case.tab()
    page.evaluate("document.querySelector('#q').removeAttribute('id')")
    page.evaluate("document.querySelector('input[type=search]').removeAttribute('placeholder')")
    found = [violation["id"] for violation in Axe().run(page, options=RULES).response["violations"]]
    check("label" in found, f"it found {found}")

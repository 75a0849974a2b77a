"use strict";

// The pages work without this script. It filters lists while the user types, and remembers columns and rows.

// The list of entities scrolls to the page's entity. A word narrows the list.

const sideList = document.querySelector(".sidebar ul");
const sideCurrent = sideList?.querySelector("a[aria-current]");
if (sideCurrent) {
  const box = sideCurrent.closest(".sidebar");
  const [top, bottom] = [sideCurrent.offsetTop, sideCurrent.offsetTop + sideCurrent.offsetHeight];
  if (bottom > box.clientHeight) box.scrollTop = (top + bottom - box.clientHeight) / 2;
}

const sideFind = document.querySelector("[data-side-find]");
sideFind?.addEventListener("input", () => {
  const word = sideFind.value.trim().toLocaleLowerCase();
  for (const item of sideList.children) {
    item.hidden = !item.querySelector("bdi").textContent.toLocaleLowerCase().includes(word);
  }
});

// The numbers of objects, where no page has counted them recently.

async function showSideCounts() {
  try {
    const answer = await fetch(sideList.dataset.sideCounts);
    if (!answer.ok) return;
    const counts = await answer.json();
    for (const place of sideList.querySelectorAll("[data-entity]")) {
      const text = counts[decodeURIComponent(place.dataset.entity)];
      if (text) place.textContent = text;
    }
  } catch {
    // The list is useful without numbers too.
  }
}

// A hidden list, as on a narrow screen, needs no counts.
if (sideList?.dataset.sideCounts && sideList.offsetParent !== null) showSideCounts();

// The browser remembers the columns by store and entity, also after the program ends.

const grid = document.querySelector("[data-columns-of]");
if (grid) {
  const name = `perennial-columns ${grid.dataset.columnsOf}`;
  const asked = new URLSearchParams(location.search).get("columns");
  try {
    if (asked === "standard") localStorage.removeItem(name);
    else if (grid.dataset.columns) localStorage.setItem(name, grid.dataset.columns);
    else if (asked === null && localStorage.getItem(name)) {
      const mark = location.search ? "&" : "?";
      location.replace(`${location.pathname}${location.search}${mark}columns=${localStorage.getItem(name)}${location.hash}`);
    }
  } catch {
    // A browser without local storage shows the grid's default columns.
  }

  // The Back button of an object's page leads to the object's row.
  grid.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-row]")?.querySelector("th[id]");
    if (row && event.target.closest("a")) history.replaceState(history.state, "", `#${row.id}`);
  });
  const focusRow = () => {
    const row = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    row?.querySelector("a")?.focus();
    row?.closest("tr")?.scrollIntoView({ block: "center" });
  };
  window.addEventListener("pageshow", focusRow);

  // A shadow shows that there are more columns on a side.
  const tellMore = () => {
    const rest = grid.scrollWidth - grid.clientWidth - grid.scrollLeft;
    grid.classList.toggle("more-right", rest > 1);
    grid.classList.toggle("more-left", grid.scrollLeft > 1);
  };
  grid.addEventListener("scroll", tellMore, { passive: true });
  window.addEventListener("resize", tellMore);
  tellMore();
}

// The link to the current page.

const linkTo = document.querySelector("[data-link-to]");
if (linkTo) {
  linkTo.addEventListener("click", () => {
    linkTo.href = `${linkTo.getAttribute("href").split("?")[0]}?to=${encodeURIComponent(location.pathname + location.search)}`;
  });
}
document.querySelector("[data-copied]")?.addEventListener("focus", (event) => event.target.select());

Object.assign(actions, {
  s: () => document.getElementById("search")?.focus(),
  f: () => sideFind?.focus(),
});

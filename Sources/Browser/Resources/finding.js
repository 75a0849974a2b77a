"use strict";

// Finding one's way works without this: it adds what follows the typing, and remembers columns and rows.

// The entity of the page is in sight in the list of entities, which a word narrows.

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

// The numbers of objects, where no page has counted them lately.

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
    // Names without numbers are of use as well.
  }
}

// What is hidden, as on a narrow screen, is not counted.
if (sideList?.dataset.sideCounts && sideList.offsetParent !== null) showSideCounts();

// Columns are remembered by store and entity, beyond the end of the program.

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
    // A browser that keeps nothing shows the columns that the grid has by itself.
  }

  // Back from an object leads to its row.
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

  // A shadow says that there are more columns to a side.
  const tellMore = () => {
    const rest = grid.scrollWidth - grid.clientWidth - grid.scrollLeft;
    grid.classList.toggle("more-right", rest > 1);
    grid.classList.toggle("more-left", grid.scrollLeft > 1);
  };
  grid.addEventListener("scroll", tellMore, { passive: true });
  window.addEventListener("resize", tellMore);
  tellMore();
}

// The link to this very page.

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

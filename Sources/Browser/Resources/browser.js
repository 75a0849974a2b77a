"use strict";

// The pages work without this: it adds keys, and what takes longer than a page should.

document.documentElement.classList.add("scripted");

const isTyping = (target) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

// Counts that were not known in time.

async function showCount(place) {
  try {
    const answer = await fetch(place.dataset.count, { headers: { Accept: "application/json" } });
    const { count, text } = await answer.json();
    if (!answer.ok) throw new Error();
    const unit = place.dataset.unit;
    place.textContent = unit ? `${text} ${count === 1 ? unit.replace(/s$/, "") : unit}` : text;
  } catch {
    place.textContent = "not counted";
  }
  place.classList.remove("later");
}

// One after the other: the store has other things to do as well.
(async () => {
  for (const place of document.querySelectorAll("[data-count]")) await showCount(place);
})();

// Keys.

const dialog = document.getElementById("keys");
document.querySelector("[data-keys]")?.addEventListener("click", () => dialog.showModal());

// Who dictates to the machine would press letters by speaking.
const singleKeys = document.querySelector("[data-single-keys]");
const noKeys = "perennial-no-single-keys";
try {
  singleKeys.checked = localStorage.getItem(noKeys) === null;
  singleKeys.addEventListener("change", () => {
    if (singleKeys.checked) localStorage.removeItem(noKeys);
    else localStorage.setItem(noKeys, "1");
  });
} catch {
  // A browser that keeps nothing has the keys.
}

const rows = () => [...document.querySelectorAll("tr[data-row] th a")];

function moveRow(step) {
  const all = rows();
  if (all.length === 0) return;
  const row = document.activeElement?.closest?.("tr[data-row]");
  const here = all.findIndex((link) => link.closest("tr") === row);
  const next = here < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(here + step, 0), all.length - 1);
  all[next].focus();
  all[next].closest("tr").scrollIntoView({ block: "nearest" });
}

function follow(selector) {
  const link = document.querySelector(selector);
  if (link) link.click();
}

const actions = {
  "?": () => dialog.showModal(),
  "/": () => {
    const box = document.getElementById("where");
    box?.focus();
    box?.select();
  },
  j: () => moveRow(1),
  k: () => moveRow(-1),
  n: () => follow("a[rel=next]"),
  p: () => follow("a[rel=prev]"),
  g: () => follow("a.store"),
  m: () => follow(".tabs li:nth-child(2) a"),
  d: () => follow(".tabs li:nth-child(3) a"),
  u: () => follow("a[data-up]"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape" && !event.defaultPrevented) event.target.blur();
    return;
  }
  const action = actions[event.key];
  if (!action || !singleKeys.checked) return;
  event.preventDefault();
  action();
});

// What others save meanwhile: the page says so, and leaves it to the reader when to see it.

const news = document.querySelector("[data-changes]");
if (news) {
  const source = new EventSource(news.dataset.changes);
  source.addEventListener("open", () => {
    news.dataset.open = "";
  });
  source.addEventListener("change", () => {
    news.hidden = false;
  });
  // A page that waits in the back keeps no connection open.
  window.addEventListener("pagehide", () => source.close());
}

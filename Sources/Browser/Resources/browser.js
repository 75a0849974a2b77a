"use strict";

// The pages work without scripts. This script adds keys, and loads the parts that take longer than a page may.

document.documentElement.classList.add("scripted");

const isTyping = (target) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

// The counts that took too long for the page.

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

// One after the other, so that the store can serve other requests as well.
(async () => {
  for (const place of document.querySelectorAll("[data-count]")) await showCount(place);
})();

// Keyboard shortcuts.

const dialog = document.getElementById("keys");
document.querySelector("[data-keys]")?.addEventListener("click", () => dialog.showModal());

// Voice-control users would trigger single-letter shortcuts by speaking, so shortcuts can be switched off.
const singleKeys = document.querySelector("[data-single-keys]");
const noKeys = "perennial-no-single-keys";
try {
  singleKeys.checked = localStorage.getItem(noKeys) === null;
  singleKeys.addEventListener("change", () => {
    if (singleKeys.checked) localStorage.removeItem(noKeys);
    else localStorage.setItem(noKeys, "1");
  });
} catch {
  // In a browser without local storage the shortcuts stay on.
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

// The page announces that another user or process has saved, and the reader decides when to load the changes.

const news = document.querySelector("[data-changes]");
if (news) {
  const source = new EventSource(news.dataset.changes);
  source.addEventListener("open", () => {
    news.dataset.open = "";
  });
  source.addEventListener("change", () => {
    news.hidden = false;
  });
  // A page in the browser's history keeps no connection open.
  window.addEventListener("pagehide", () => source.close());
}

// Adds to pages: they follow changes by other pages, and have keyboard shortcuts. Reading and writing work without scripts.
"use strict";

const body = document.body;
const state = { version: body.dataset.version, source: null };

function announce(text) {
  let region = document.getElementById("announcement");
  if (!region) {
    region = document.createElement("p");
    region.id = "announcement";
    region.className = "hidden";
    region.setAttribute("role", "status");
    body.append(region);
  }
  region.textContent = text;
}

// MARK: Following changes

/// Fetches the page again and replaces the parts that may have changed. A form with unsaved input is kept.
let refreshing = null;
let refreshAgain = false;
let marked = [];

async function refresh(ids) {
  marked = marked.concat(ids);
  if (refreshing) {
    refreshAgain = true;
    return refreshing;
  }
  refreshing = (async () => {
    do {
      refreshAgain = false;
      await takeOver();
    } while (refreshAgain);
  })().finally(() => { refreshing = null; });
  return refreshing;
}

async function takeOver() {
  let response;
  try {
    response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  } catch {
    // The server does not answer. The event stream reconnects when it is back.
    return;
  }
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!response.ok) {
    if (response.status === 404 && body.dataset.kind === "note") sayThatNoteIsGone();
    return refreshLists("/");
  }
  replaceParts(fresh, body.dataset.kind === "note" ? ["seeding", "filters", "list", "pane"] : ["seeding", "filters", "list"]);
  state.version = fresh.body.dataset.version;
}

async function refreshLists(address) {
  const response = await fetch(address, { cache: "no-store" });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const heading of fresh.querySelectorAll("#list h1")) heading.outerHTML = heading.outerHTML.replaceAll("h1", "h2");
  replaceParts(fresh, ["seeding", "filters", "list"]);
  state.version = fresh.body.dataset.version;
}

function replaceParts(fresh, ids) {
  const focused = document.activeElement?.id;
  for (const id of ids) {
    const [old, next] = [document.getElementById(id), fresh.getElementById(id)];
    if (!old || !next || old.outerHTML === next.outerHTML) continue;
    const top = old.scrollTop;
    old.replaceWith(next);
    next.scrollTop = top;
  }
  if (focused && document.activeElement === body) document.getElementById(focused)?.focus({ preventScroll: true });
  for (const id of marked) {
    for (const row of document.querySelectorAll(`.row[data-note="${CSS.escape(id)}"]`)) row.classList.add("fresh");
  }
  marked = [];
}

function sayThatNoteIsGone() {
  const note = document.getElementById("note");
  if (!note || document.getElementById("gone")) return;
  const text = document.createElement("p");
  text.id = "gone";
  text.className = "notice";
  text.setAttribute("role", "alert");
  text.textContent = "Somebody has deleted this note. This is how it was.";
  note.prepend(text);
  note.querySelector(".actions")?.remove();
}

function hearChanges(event) {
  const changes = JSON.parse(event.data);
  const open = body.dataset.note;
  if (body.dataset.kind === "form" && open) {
    const isGone = changes.deleted.includes(open);
    if (isGone || changes.updated.includes(open)) {
      const notice = document.getElementById("changed-elsewhere");
      notice.hidden = false;
      notice.textContent = isGone
        ? "Somebody has just deleted this note. You can still save what you wrote, as a new one."
        : "Somebody has just changed this note. When you save, you will see both and choose.";
    }
  }
  announce(changes.count === 1 ? "One note has changed." : `${changes.count} notes have changed.`);
  refresh([...changes.inserted, ...changes.updated]);
}

function hearSeeding(event) {
  const seeding = JSON.parse(event.data);
  const text = document.getElementById("seeding-text");
  if (seeding.state === "running" && text) {
    text.textContent = `The first notes are on their way: ${seeding.phase}.`;
    const progress = document.getElementById("seeding-progress");
    if (progress) progress.value = Math.floor(seeding.part * 100);
  } else if (text || seeding.state === "running") {
    refresh([]);
  }
}

function listen() {
  if (state.source || document.hidden) return;
  state.source = new EventSource("/events");
  state.source.addEventListener("ready", (event) => {
    body.dataset.live = "yes";
    // Something has changed since this page was made, or the server was restarted.
    if (event.data !== state.version) refresh([]);
  });
  state.source.addEventListener("changes", hearChanges);
  state.source.addEventListener("seeding", hearSeeding);
}

function stopListening() {
  state.source?.close();
  state.source = null;
  delete body.dataset.live;
}

// A hidden page closes its connection, because a browser opens at most six connections per server.
document.addEventListener("visibilitychange", () => (document.hidden ? stopListening() : listen()));
addEventListener("pagehide", stopListening);
addEventListener("pageshow", listen);
// The page's own form does not need an event: the next page shows its result.
document.addEventListener("submit", (event) => { if (event.target.method === "post") stopListening(); });

// MARK: The toast

function prepareToast() {
  const toast = document.getElementById("toast");
  if (!toast) return;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.setAttribute("aria-label", "Close");
  close.textContent = "✕";
  close.addEventListener("click", () => toast.remove());
  toast.append(close);
  // After it was seen, the address no longer mentions the change.
  const address = new URL(location.href);
  address.searchParams.delete("undo");
  address.searchParams.delete("undone");
  history.replaceState(history.state, "", address);
}

// MARK: Leaving a form

const form = document.getElementById("note-form");
if (form) {
  let isChanged = false;
  form.addEventListener("input", () => { isChanged = true; });
  form.addEventListener("submit", () => { isChanged = false; });
  addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
}

// MARK: Keys

const keys = [
  ["/", "Search", () => document.getElementById("q")?.select()],
  ["n", "New note", () => document.getElementById("new")?.click()],
  ["j", "Next note", () => step(1)],
  ["k", "Previous note", () => step(-1)],
  ["e", "Edit the note", () => document.getElementById("edit")?.click()],
  ["z", "Undo what was just done", () => document.getElementById("undo")?.click()],
  ["?", "These keys", () => showKeys()],
];

function step(distance) {
  const links = [...document.querySelectorAll("#list .title a")].filter((link) => link.offsetParent);
  if (links.length === 0) return;
  let place = links.indexOf(document.activeElement);
  if (place < 0) place = links.findIndex((link) => link.hasAttribute("aria-current"));
  const next = place < 0 ? (distance > 0 ? 0 : links.length - 1) : place + distance;
  links[Math.min(Math.max(next, 0), links.length - 1)].focus();
}

function areKeysOn() { return localStorage.getItem("keys") !== "off"; }

function showKeys() {
  let dialog = document.getElementById("keys");
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.id = "keys";
    dialog.setAttribute("aria-labelledby", "keys-heading");
    const rows = keys.map(([key, what]) => `<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`).join("");
    dialog.innerHTML = `<h2 id="keys-heading">Keys</h2><dl>${rows}</dl><form method="dialog"><label><input type="checkbox" id="keys-on"> Single keys do this</label><button class="primary">Close</button></form>`;
    body.append(dialog);
    const box = dialog.querySelector("#keys-on");
    box.checked = areKeysOn();
    box.addEventListener("change", () => localStorage.setItem("keys", box.checked ? "on" : "off"));
  }
  if (!dialog.open) dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest?.("input, textarea, select, dialog, [contenteditable]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (!areKeysOn()) return;
  const action = keys.find(([key]) => key === event.key)?.[2];
  if (!action) return;
  event.preventDefault();
  action();
});

const keysButton = document.createElement("button");
keysButton.type = "button";
keysButton.className = "keys-button";
keysButton.textContent = "Keys";
keysButton.addEventListener("click", showKeys);
document.querySelector(".bar")?.append(keysButton);

// The list next to an open note scrolls to that note.
const row = document.querySelector("#list [aria-current]")?.closest(".row");
if (row?.offsetParent) row.scrollIntoView({ block: "center" });

prepareToast();
listen();

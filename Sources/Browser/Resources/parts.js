"use strict";

// Parts of pages that load later or can be moved: counts by values, and the diagram.

const facetPlace = document.getElementById("facet");
let facetRequest = null;

function closeFacet() {
  facetRequest?.abort();
  facetRequest = null;
  facetPlace.replaceChildren();
  for (const chip of document.querySelectorAll("[data-facet], [data-column]")) chip.setAttribute("aria-expanded", "false");
}

async function showFacet(chip) {
  const isOpen = chip.getAttribute("aria-expanded") === "true";
  closeFacet();
  if (isOpen) return;
  chip.setAttribute("aria-expanded", "true");
  const request = new AbortController();
  facetRequest = request;
  const waiting = document.createElement("p");
  waiting.className = "waiting";
  const stop = document.createElement("button");
  stop.type = "button";
  stop.className = "button";
  stop.textContent = "Stop";
  stop.addEventListener("click", closeFacet);
  waiting.append("Counting …", stop);
  // The message appears only if the counts take longer than 200 ms.
  const timer = setTimeout(() => facetPlace.replaceChildren(waiting), 200);
  try {
    const address = chip.getAttribute("href");
    const answer = await fetch(`${address}${address.includes("?") ? "&" : "?"}part=1`, { signal: request.signal });
    const text = await answer.text();
    if (request.signal.aborted) return;
    // The server has escaped every text in this markup.
    const page = new DOMParser().parseFromString(text, "text/html");
    const part = page.querySelector(answer.ok ? ".facet" : ".problem");
    clearTimeout(timer);
    facetPlace.replaceChildren(part ?? "It could not be counted.");
    // The form that a column header opens above the grid gets the focus.
    if ("column" in chip.dataset) part?.querySelector("select, input:not([type=hidden]), button")?.focus();
  } catch {
    clearTimeout(timer);
    if (!request.signal.aborted) facetPlace.replaceChildren("It could not be counted.");
  }
}

if (facetPlace) {
  for (const chip of document.querySelectorAll("[data-facet], [data-column]")) {
    chip.setAttribute("role", "button");
    chip.setAttribute("aria-expanded", "false");
    chip.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      showFacet(chip);
    });
    chip.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      showFacet(chip);
    });
  }
}

// The progress of a comparison or of a save. When it ends, the page reloads and shows the result.

const progressPlace = document.querySelector("[data-progress]");

async function showProgress() {
  try {
    const answer = await fetch(progressPlace.dataset.progress);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = page.querySelector(".running");
    if (!answer.ok || !part) return location.reload();
    // Only texts and values are replaced, so that the focused element keeps the focus.
    progressPlace.querySelector("p").replaceWith(part.querySelector("p"));
    const [shown, present] = [progressPlace.querySelector("progress"), part.querySelector("progress")];
    if (shown && present) {
      shown.max = present.max;
      shown.value = present.value;
    }
  } catch {
    // If the server does not answer, the page stays as it is.
  }
  setTimeout(showProgress, 1000);
}

if (progressPlace) setTimeout(showProgress, 300);

// The diagram moves with the pointer and the arrow keys, and can be zoomed.

const diagram = document.querySelector("[data-diagram]");

if (diagram) {
  const picture = diagram.querySelector("svg");
  const [width, height] = picture.getAttribute("viewBox").split(/\s+/).slice(2).map(Number);
  let scale = 1;

  const zoom = (next) => {
    const [x, y] = [diagram.scrollLeft + diagram.clientWidth / 2, diagram.scrollTop + diagram.clientHeight / 2];
    const ratio = Math.min(Math.max(next, 0.05), 4) / scale;
    scale *= ratio;
    picture.setAttribute("width", width * scale);
    picture.setAttribute("height", height * scale);
    diagram.scrollTo(x * ratio - diagram.clientWidth / 2, y * ratio - diagram.clientHeight / 2);
  };
  const chosen = picture.querySelector(".dg-chosen");
  const centre = (box) => {
    const [frame, place] = [diagram.getBoundingClientRect(), box.getBoundingClientRect()];
    diagram.scrollBy(
      place.left + place.width / 2 - frame.left - frame.width / 2,
      place.top + place.height / 2 - frame.top - frame.height / 2,
    );
  };
  const fit = () => zoom(Math.min(diagram.clientWidth / width, diagram.clientHeight / height, 1));
  const steps = { in: () => zoom(scale * 1.25), out: () => zoom(scale / 1.25), fit };

  // The whole picture is visible at first. A large one with a chosen entity opens at a readable size, centered on
  // the entity.
  fit();
  const readable = 0.6;
  if (chosen && scale < readable) {
    zoom(readable);
    centre(chosen);
  }

  // The search highlights the entities whose names contain the word, and centers the first of them.
  const find = document.querySelector("[data-diagram-find]");
  find?.addEventListener("input", () => {
    const word = find.value.trim().toLocaleLowerCase();
    let first = null;
    for (const box of picture.querySelectorAll(".dg-entity")) {
      const isFound = word !== "" && box.dataset.entity.toLocaleLowerCase().includes(word);
      box.classList.toggle("dg-found", isFound);
      if (isFound) first ??= box;
    }
    if (!first) return;
    if (scale < readable) zoom(readable);
    centre(first);
  });

  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => steps[button.dataset.zoom]());
  }
  diagram.addEventListener("keydown", (event) => {
    const step = { "+": steps.in, "=": steps.in, "-": steps.out, 0: fit }[event.key];
    if (!step || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step();
  });

  let start = null;
  diagram.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType !== "mouse") return;
    start = { x: event.clientX + diagram.scrollLeft, y: event.clientY + diagram.scrollTop, isMoved: false };
  });
  window.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [left, top] = [start.x - event.clientX, start.y - event.clientY];
    if (Math.abs(left - diagram.scrollLeft) + Math.abs(top - diagram.scrollTop) > 3) start.isMoved = true;
    if (!start.isMoved) return;
    diagram.classList.add("moving");
    diagram.scrollTo(left, top);
  });
  window.addEventListener("pointerup", () => {
    const wasMoved = start?.isMoved;
    start = null;
    diagram.classList.remove("moving");
    // The end of a drag is not treated as a click on a box.
    if (wasMoved) diagram.addEventListener("click", (event) => event.preventDefault(), { capture: true, once: true });
  });
  diagram.addEventListener("dragstart", (event) => event.preventDefault());
}

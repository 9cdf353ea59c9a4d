// Matches a visitor's own deck with views: titles typed or read from a file, proposals to accept or change.

import { ask } from "./ask.js";
import { html } from "../../drawing/dom.js";
import { plainPath, withBeats } from "./own_lecture.js";

/** @import { Answered } from "./ask.js" */
/** @import { OwnSlide } from "./own_lecture.js" */

/** @typedef {{ title: string, about: string, path: string, beats: number[], notes?: string }} Hit */
/** @typedef {{ title: string, hits: Hit[], sure: boolean }} Row a slide and the views that fit its title */
/** @typedef {(slides: OwnSlide[]) => Promise<string>} Add says what is wrong, if they cannot be added */

const NONE = "no view";

/** @param {HTMLElement} parent @param {Add} add */
export function openMatching(parent, add) {
  parent.querySelector(".matching")?.remove();
  const dialog = html("dialog", { class: "matching", "aria-label": "Match my slides" }, parent);
  html("h2", {}, dialog, "Match my slides");
  html(
    "p",
    {},
    dialog,
    "Type the titles of your slides, one a line, or choose a PowerPoint file or a PDF. The server reads the titles and keeps nothing.",
  );
  const titles = html("textarea", { rows: 6, "aria-label": "Titles, one a line" }, dialog);
  const file = html("input", { type: "file", accept: ".pptx,.pdf,.txt,.md", "aria-label": "A file of slides" }, dialog);
  const bar = html("div", { class: "row" }, dialog);
  const match = html("button", { type: "button" }, bar, "Find views");
  const close = html("button", { type: "button" }, bar, "Close");
  const said = html("p", { role: "status", class: "own-said" }, dialog);
  const list = html("div", { class: "matches" }, dialog);
  close.onclick = () => dialog.close();
  match.onclick = async () => {
    const given = file.files?.[0];
    const [name, body] = given ? [given.name, given] : ["titles.txt", titles.value];
    match.disabled = true;
    said.textContent = "Reading …";
    /** @type {Answered<{ rows: Row[], said: string }>} */
    const answer = await ask(`match?name=${encodeURIComponent(name)}`, body);
    match.disabled = false;
    said.textContent = answer.error ?? answer.said ?? "";
    list.replaceChildren();
    if (answer.rows) {
      show(list, answer.rows, async (slides) => {
        const refused = await add(slides);
        if (refused) said.textContent = refused;
        else dialog.close();
      });
    }
  };
  dialog.showModal();
}

/** @param {HTMLElement} list @param {Row[]} rows @param {(slides: OwnSlide[]) => void} add */
function show(list, rows, add) {
  const unsure = rows.filter(({ sure }) => !sure).length;
  if (unsure)
    html(
      "p",
      { class: "quiet" },
      list,
      `${unsure} of ${rows.length} slides are set to “${NONE}”: nothing fits their titles well. Choose a view if one does; without one a slide keeps its number.`,
    );
  const chosen = rows.map(({ title, hits, sure }, i) => {
    const row = html("label", { class: "match" }, list);
    html("span", { class: title ? "" : "quiet" }, row, `${i + 1} · ${title || "a slide without text"}`);
    const select = html("select", { "aria-label": `View for slide ${i + 1}, ${title}` }, row);
    hits.forEach((hit, place) => html("option", { value: place }, select, `${hit.title} (${hit.about})`));
    html("option", { value: "" }, select, NONE);
    if (!sure) select.value = "";
    return select;
  });
  const button = html("button", { type: "button" }, list, "Add these to my lecture");
  button.onclick = () =>
    add(
      rows.map(({ title, hits }, i) => {
        const hit = chosen[i].value ? hits[Number(chosen[i].value)] : undefined;
        return {
          heading: title,
          path: hit ? withBeats(plainPath(hit.path), hit.beats) : "",
          notes: hit?.notes ?? "",
          hide: false,
        };
      }),
    );
}

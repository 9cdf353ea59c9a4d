// One token at a time: what the model said, what each filter left of it, and where the draw fell.
// Every step of the branch is here; the server hears where one stands, and computes new branches.

import { drawSvg, focusIn, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons, saveTable } from "../../ui/browser/saving.js";
import { scroller } from "../../ui/browser/scrollers.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts, StepPayload, TokenChip } from "../../ui/browser/types.js" */
/** @typedef {Scripts["stepping"]} Data */

const RESTING = 300; // ms without a click before the server hears of the place
const ROOMY = 1050; // px: less than that, and a table has no column for reasons
const PATIENT = 3000; // ms in which an answer to an older click does not take the view back

/** @param {Component<Data>} component */
export default function stepping({ data, parentElement, setTriggerValue }) {
  const key = JSON.stringify([data.prompt, data.branches, data.branch, data.seed, isDark(parentElement)]);
  /** @type {[Picture<Data, any>, boolean]} */
  const [picture, fresh] = stage(parentElement, "stepping");
  const state = (picture.state ??= { at: data.at, sent: null, until: 0 });
  const changed = picture.key !== key;
  const waits = !changed && state.sent !== null && state.sent !== data.at && performance.now() < state.until;
  Object.assign(picture, { key, data, colour: colours(parentElement) });
  picture.send = (what) => {
    clearTimeout(state.timer);
    setTriggerValue("event", what);
  };
  if (!waits) {
    state.at = Math.min(data.at, data.steps.length);
    state.sent = null;
  }
  if (fresh) buildStepping(picture);
  drawStepping(picture);
}

/** @param {Picture<Data, any>} picture */
function buildStepping(picture) {
  const bar = html("div", { class: "row gen-row" }, picture.element);
  const button = (text, name, go) => {
    const made = html("button", { type: "button", "aria-label": name, title: name }, bar, text);
    made.onclick = () => walkTo(picture, go(picture.state.at));
    return made;
  };
  picture.buttons = {
    rewind: button("Rewind", "Rewind to the prompt", () => 0),
    back: button("◂ Back", "Back one token", (at) => at - 1),
    step: button("Step ▸", "Step one token", (at) => at + 1),
    end: button("To the end", "Run to the end", () => picture.data.steps.length),
  };
  picture.where = html("span", { class: "readout", "aria-live": "polite" }, bar);
  picture.texts = html("div", { class: "gen-branches" }, picture.element);
  picture.said = html("div", { class: "readout sum", "aria-live": "polite" }, picture.element);
  picture.line = html("div", { class: "gen-line" }, picture.element);
  picture.table = scroller("What may come next", picture.element, "gen-scroll");
  picture.note = html(
    "div",
    { class: "heading" },
    picture.element,
    "Press a token to force it here: the text so far is kept, and a new branch begins.",
  );
  saveTable(picture.element, () => [
    "step",
    ["token", "rank", ...picture.data.steps[shownStep(picture)].names, "why"],
    csvRows(picture),
  ]);
}

/** @param {Picture<Data, any>} picture */
function walkTo(picture, at) {
  const { state, data } = picture;
  state.at = Math.max(0, Math.min(at, data.steps.length));
  state.sent = state.at;
  state.until = performance.now() + PATIENT;
  drawStepping(picture);
  clearTimeout(state.timer);
  const timer = setTimeout(() => picture.send({ at: state.sent }), RESTING);
  state.timer = timer;
}

/** @param {Picture<Data, any>} picture */
const shownStep = (picture) => Math.min(picture.state.at, picture.data.steps.length - 1);
/** @param {StepPayload} step */
const pOf = (step, stage, row) => step.p[stage * step.ids.length + row];

/** @param {Picture<Data, any>} picture */
function csvRows(picture) {
  const step = picture.data.steps[shownStep(picture)];
  return step.labels.map((label, row) => [
    label,
    step.ranks[row],
    ...step.names.map((_, k) => pOf(step, k, row)),
    step.why[row],
  ]);
}

/** @param {Picture<Data, any>} picture */
function drawStepping(picture) {
  const { data, state, buttons } = picture;
  const active = /** @type {HTMLButtonElement} */ (focusIn(picture.element));
  const goes =
    active &&
    [picture.table, picture.texts, buttons.step.parentElement].some((part) => part.contains(active) && part !== active);
  const [last, at] = [data.steps.length, state.at];
  buttons.rewind.disabled = buttons.back.disabled = at === 0;
  buttons.step.disabled = buttons.end.disabled = at === last;
  const step = data.steps[shownStep(picture)];
  const over = at === last;
  picture.where.textContent = over
    ? `${last} of ${last}: it ${data.ends[step.end] || "ends"}`
    : `${at} of ${last} written; token ${at + 1} comes next`;
  drawBranches(picture, over);
  drawSaid(picture, step, over);
  drawLine(picture, step);
  drawTable(picture, step);
  // A button that is gone, or that has nothing to do any more, hands its focus on.
  if (goes && (!active.isConnected || active.disabled))
    (over ? buttons.back : buttons.step).focus({ preventScroll: true });
}

/** @param {Picture<Data, any>} picture */
function drawBranches(picture, over) {
  const { data, state } = picture;
  picture.texts.replaceChildren();
  data.branches.forEach((branch, b) => {
    const row = html("div", { class: "gen-branch" }, picture.texts);
    const here = b === data.branch;
    const head = html("div", { class: "row gen-row" }, row);
    if (data.branches.length > 1) {
      const pick = html("button", { type: "button", "aria-pressed": here }, head, branch.title);
      pick.onclick = () => picture.send({ branch: b });
      if (b) {
        const drop = html(
          "button",
          { type: "button", "aria-label": `Drop the branch “${branch.title}”`, title: "Drop this branch" },
          head,
          "✕",
        );
        drop.onclick = () => picture.send({ drop: b });
      }
      html("span", { class: "aside" }, head, branch.said);
    }
    const line = html("div", { class: "gen-text" }, row);
    html("span", { class: "gen-given" }, line, data.prompt || "nothing yet");
    const shown = here ? branch.chips.slice(0, state.at) : branch.chips;
    shown.forEach((chip, place) => {
      const token = tokenOf(line, chip, here ? "button" : "span");
      if (chip.forced) token.textContent = `${chip.text} ⚑`;
      if (!here) return;
      token.setAttribute("aria-label", `Token ${place + 1}, ${chip.text}: rewind to before it`);
      token.onclick = () => walkTo(picture, place);
    });
    if (here && !over) html("span", { class: "gen-next" }, line, "?");
  });
}

/**
 * @param {Picture<Data, any>} picture
 * @param {StepPayload} step
 */
function drawSaid(picture, step, over) {
  const label = (row) => `“${step.labels[row]}”`;
  const final = step.names.length - 1;
  if (step.chosen < 0) {
    picture.said.textContent = "Nothing is left to choose from: every token has p = 0.";
    return;
  }
  const p = formatNumber(pOf(step, final, step.free));
  const drawn =
    step.uniform === null
      ? `${label(step.free)} has the largest p, ${p}`
      : `u = ${formatNumber(step.uniform)} falls on ${label(step.free)}, from ${formatNumber(step.low[step.free])} to ${formatNumber(step.high[step.free])}`;
  const forced = step.forced
    ? `; ${label(step.chosen)} was forced instead, to which the model gave ${formatNumber(pOf(step, 0, step.chosen))}`
    : "";
  picture.said.textContent = `${over ? "Last: " : ""}${drawn}${forced}.`;
}

// --- the line from 0 to 1 on which u falls -------------------------------------------------------

const LINE = { widest: 760, height: 66, top: 26, bar: 24 };

/**
 * @param {Picture<Data, any>} picture
 * @param {StepPayload} step
 */
function drawLine(picture, step) {
  const { colour } = picture;
  picture.line.replaceChildren();
  if (step.uniform === null || step.chosen < 0) return;
  const { widest, height, top, bar } = LINE;
  const width = Math.min(widest, (picture.element.clientWidth || widest) / magnified() - 16);
  const name = `The line from 0 to 1: u = ${formatNumber(step.uniform)} falls on ${step.labels[step.free]}`;
  const svg = drawSvg(
    "svg",
    {
      viewBox: `-8 0 ${width + 16} ${height}`,
      width: "100%",
      role: "img",
      "aria-label": name,
      "font-size": 12,
      fill: colour.ink,
    },
    picture.line,
  );
  svg.style.maxWidth = `${magnified() * (width + 16)}px`;
  drawSvg("rect", { x: 0, y: top, width, height: bar, fill: "none", stroke: colour.quiet }, svg);
  step.labels.forEach((label, row) => {
    const [left, right] = [width * step.low[row], width * step.high[row]];
    if (right - left <= 0) return;
    const here = row === step.free;
    const part = drawSvg(
      "rect",
      {
        x: left,
        y: top,
        width: right - left,
        height: bar,
        fill: colour.activation,
        "fill-opacity": here ? 0.85 : 0.22,
        stroke: colour.background,
        "stroke-width": 1,
      },
      svg,
    );
    drawSvg("title", {}, part, `${label}: ${formatNumber(step.low[row])} to ${formatNumber(step.high[row])}`);
    if (right - left < 7 * label.length + 8) return;
    const ink = here ? colour.background : colour.ink;
    drawSvg(
      "text",
      { x: (left + right) / 2, y: top + bar / 2, fill: ink, "text-anchor": "middle", "dominant-baseline": "central" },
      svg,
      label,
    );
  });
  const u = width * step.uniform;
  drawSvg(
    "path",
    {
      d: `M${u} ${top - 2}l-6 -9h12z M${u} ${top}V${top + bar}`,
      fill: colour.gradient,
      stroke: colour.gradient,
      "stroke-width": 2,
    },
    svg,
  );
  const anchor = step.uniform < 0.1 ? "start" : step.uniform > 0.9 ? "end" : "middle";
  drawSvg(
    "text",
    { x: u, y: 11, fill: colour.gradient, "font-weight": 600, "text-anchor": anchor },
    svg,
    `u = ${formatNumber(step.uniform)}`,
  );
  for (const [x, text, side] of /** @type {const} */ ([
    [0, "0", "start"],
    [width, "1", "end"],
  ])) {
    drawSvg("text", { x, y: height - 3, "text-anchor": side, fill: colour.quiet }, svg, text);
  }
  drawSvg(
    "text",
    { x: width / 2, y: height - 3, "text-anchor": "middle", fill: colour.quiet },
    svg,
    "p after all filters, summed in the order of the ids",
  );
  saveButtons(picture.line, () => ["draw", [[svg]]]);
}

// --- the table: one column per stage -----------------------------------------------------------------

/**
 * @param {Picture<Data, any>} picture
 * @param {StepPayload} step
 */
function drawTable(picture, step) {
  const { data } = picture;
  const kept = picture.table.scrollTop;
  picture.table.replaceChildren();
  const table = html("table", { class: "gen-table" }, picture.table);
  // The fewer stages, the longer their bars.
  table.style.setProperty("--bar", `${Math.max(3.2, 15 / step.names.length)}rem`);
  const head = html("tr", {}, html("thead", {}, table));
  // Where there is no room for one more column, the reasons stand below the tokens.
  picture.narrow = picture.element.clientWidth / magnified() < ROOMY;
  html("th", { scope: "col" }, head, "token");
  step.names.forEach((name, k) => {
    const title = html("th", { scope: "col" }, head, data.stages[name]);
    html("span", { class: "gen-left" }, title, `${step.left[k]} left`);
  });
  if (!picture.narrow) html("th", { scope: "col" }, head, step.why.some(Boolean) ? "reason" : "");
  const body = html("tbody", {}, table);
  step.ids.forEach((id, row) => tokenRow(picture, body, step, row));
  const rest = html("tr", { class: "gen-rest" }, body);
  html("th", { scope: "row" }, rest, `${step.others} others`);
  step.names.forEach((_, k) => html("td", { class: "number" }, rest, formatNumber(step.otherP[k])));
  if (!picture.narrow) html("td", {}, rest);
  picture.table.scrollTop = kept;
}

/**
 * @param {Picture<Data, any>} picture
 * @param {any} body
 * @param {StepPayload} step
 */
function tokenRow(picture, body, step, row) {
  const at = shownStep(picture);
  const cut = step.cut[row] >= 0;
  const marks = [cut && "cut", row === step.chosen && "here"].filter(Boolean).join(" ");
  const line = html("tr", { class: marks }, body);
  const first = html("th", { scope: "row" }, line);
  const button = html(
    "button",
    { type: "button", title: `Rank ${step.ranks[row]} under the model: force it here` },
    first,
    step.labels[row],
  );
  button.onclick = () =>
    row === step.free && !step.forced ? walkTo(picture, at + 1) : picture.send({ force: [at, step.ids[row]] });
  if (row === step.chosen)
    html(
      "span",
      { class: "gen-mark" },
      first,
      step.forced ? " ⚑ forced" : step.uniform === null ? " ▸ largest" : " ▸ drawn",
    );
  step.names.forEach((_, k) => {
    const cell = html("td", { class: "gen-cell" }, line);
    const p = pOf(step, k, row);
    const gone = cut && k >= step.cut[row];
    const whole = html("span", { class: "whole" }, cell);
    html("span", { class: "chance" }, whole).style.width = `${100 * p}%`;
    html("span", { class: "number" }, cell, gone ? "✕" : formatNumber(p));
  });
  if (!picture.narrow) html("td", { class: "gen-why" }, line, step.why[row]);
  else if (step.why[row]) html("div", { class: "gen-why" }, first, step.why[row]);
}

/**
 * A token in the colour of its p.
 *
 * @param {any} parent
 * @param {TokenChip} chip
 */
function tokenOf(parent, chip, tag) {
  const marks = `${chip.forced ? " forced" : ""}${chip.wrong ? " wrong" : ""}`;
  const node = html(tag, { class: `gen-token${marks}` }, parent);
  Object.assign(node.style, { background: chip.fill, color: chip.ink });
  node.textContent = chip.text;
  node.title = `p = ${formatNumber(chip.p)}${chip.forced ? ", forced" : ""}${chip.wrong ? "; the grammar excludes this" : ""}`;
  if (tag === "button") node.type = "button";
  return node;
}

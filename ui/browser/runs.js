// Training runs as they happen: curves, texts, states, and the buttons that control them.
//
// It listens at live/runs by itself (ui/runs.py), so nothing here waits for a rerun of the page.
// The history stays in the browser: scrubbing it sends no request.

import { liveAddress } from "./ask.js";
import { drawSvg, html } from "../../drawing/dom.js";
import { drawCurves, HEIGHT, written } from "./run_curves.js";
import { saveButtons, saveTable } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { colours } from "../../drawing/theme.js";
import { visitorHeaders } from "./visitor.js";

/** @import { Component, Palette, Picture, RunLabel, RunMessage, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["runs"]} Data */
/** @typedef {"losses" | "norms" | "evaluations" | "samples"} Series what grows while a run trains */
/**
 * The history of a run so far. `state` is null before the first message; `refused` is the reason for a refused order.
 *
 * @typedef {Partial<Omit<RunMessage, "state" | "step" | "steps" | "since" | Series>>
 *   & Required<Pick<RunMessage, "step" | "steps" | Series>> & { state: string | null, refused?: string }} History
 */
/** @typedef {[name: string, state: string | null][]} Rested the runs and their states, once one has come to rest */
/**
 * A listener to runs.
 *
 * @typedef {object} Listener
 * @property {{ runs: RunLabel[] }} data
 * @property {(event: Rested) => void} send
 * @property {Map<string, History>} histories of each run by its name; there once `listen` was called
 * @property {() => void} paint
 * @property {EventSource | null} source
 */
/** @typedef {{ button: HTMLButtonElement, verb: Verb, names: string[] }} Order a button, and the runs that it is for */
/**
 * @typedef {object} Remembered
 * @property {Palette} colour
 * @property {Order[]} buttons
 * @property {SVGSVGElement} svg
 * @property {HTMLInputElement} range
 * @property {HTMLOutputElement} at
 * @property {boolean} held whether an earlier step is looked at
 * @property {HTMLElement} texts
 * @property {string} written what is in `texts`
 */
/** @typedef {Picture<Data, Listener & Remembered>} Its */
/** @typedef {"pause" | "step" | "resume" | "stop"} Verb */

/** @type {Record<string, string>} */
export const WORDS = {
  queued: "waiting",
  running: "training",
  copying: "copying",
  paused: "paused",
  finished: "finished",
  diverged: "diverged",
  interrupted: "interrupted",
  stopped: "stopped",
  failed: "could not start",
  gone: "no longer on the server",
  away: "its server does not answer",
};
export const OVER = ["finished", "diverged", "stopped", "failed", "gone"];
const RESTS = ["paused", "interrupted"];
const AT_REST = [...OVER, ...RESTS];
export const VERBS = /** @type {const} */ ([
  ["pause", "Pause"],
  ["step", "One step"],
  ["resume", "Resume"],
  ["stop", "Stop"],
]);
/** @type {(states: readonly string[], state: string | null) => boolean} */
const isOneOf = (states, state) => state !== null && states.includes(state);
/** @type {Record<Verb, (state: string | null) => boolean>} */
export const FITS = {
  pause: (state) => isOneOf(["running", "queued"], state),
  step: (state) => isOneOf(RESTS, state),
  resume: (state) => isOneOf(RESTS, state),
  stop: (state) => !isOneOf([...OVER, "copying", "away"], state),
};

/** @param {Component<Data>} component */
export default function runs({ data, parentElement, setTriggerValue }) {
  const names = data.runs.map((run) => run.name).join(",");
  /** @type {[Its, boolean]} */
  const [picture, fresh] = stage(parentElement, `${names} ${data.runs.map((run) => run.mine)}`);
  picture.data = data;
  picture.colour = colours(parentElement);
  picture.send = (value) => setTriggerValue("event", value);
  if (fresh) build(picture);
  draw(picture);
  return !fresh && picture.source ? undefined : listen(picture, draw);
}

/**
 * Keep the histories of a picture's runs up to date, and paint it after each message; returns a function that ends
 * this.
 *
 * @template {Listener} Who @param {Who} picture @param {(picture: Who) => void} paint
 */
export function listen(picture, paint) {
  const names = picture.data.runs.map((run) => run.name);
  picture.paint = () => paint(picture);
  picture.histories = new Map(names.map((name) => [name, empty()]));
  if (!names.length) {
    paint(picture); // recorded runs alone
    return undefined;
  }
  picture.source = new EventSource(liveAddress(`runs?names=${encodeURIComponent(names.join(","))}`));
  picture.source.onopen = () => picture.histories.forEach(clear);
  picture.source.onmessage = (event) => apply(picture, JSON.parse(event.data));
  return () => {
    picture.source?.close();
    picture.source = null;
  };
}

/** @returns {History} */
const empty = () => ({ state: null, step: 0, steps: 1, losses: [], norms: [], evaluations: [], samples: [] });
/** @param {History} history */
function clear(history) {
  Object.assign(history, { losses: [], norms: [], evaluations: [], samples: [] });
}

/**
 * A message holds, for each run that changed, its state and what to append from which place on.
 *
 * @param {Listener} picture @param {Record<string, Partial<RunMessage>>} message
 */
function apply(picture, message) {
  let rested = false;
  for (const [name, part] of Object.entries(message)) {
    const history = /** @type {History} */ (picture.histories.get(name));
    const before = history.state;
    const { since, losses = [], norms = [], evaluations = [], samples = [], ...state } = part;
    Object.assign(history, state);
    if (since) {
      append(history.losses, since[0], losses);
      append(history.norms, since[0], norms);
      append(history.evaluations, since[1], evaluations);
      append(history.samples, since[2], samples);
    }
    rested ||= before !== null && history.state !== before && isOneOf(AT_REST, history.state);
  }
  picture.paint();
  // The page tests a model once its run pauses or ends.
  if (rested) picture.send(Array.from(picture.histories, ([name, { state }]) => [name, state]));
}

/** @template Item @param {Item[]} list @param {number} from @param {Item[]} more */
function append(list, from, more) {
  list.length = from;
  for (const item of more) list.push(item);
}

/**
 * Send an order to some runs; the sentence of a refusal is shown.
 *
 * @param {Listener} picture @param {string[]} names @param {Verb} verb
 */
export async function control(picture, names, verb) {
  await Promise.all(
    names.map(async (name) => {
      const asked = fetch(liveAddress(`runs/${name}/${verb}`), { method: "POST", headers: visitorHeaders() });
      const answer = await asked.catch(() => null);
      const said = answer ? await answer.json().catch(() => ({})) : { error: "The server did not answer. Try again." };
      const history = picture.histories.get(name);
      if (!history) return;
      history.refused = answer?.ok ? "" : said.error;
      apply(picture, { [name]: answer?.ok ? said : {} });
    }),
  );
}

/** @param {Its} picture */
function build(picture) {
  const { runs } = picture.data;
  picture.buttons = [];
  const mine = runs.filter((run) => run.mine).map((run) => run.name);
  if (mine.length > 1) buttons(picture, mine, " all");
  for (const [i, run] of runs.entries()) {
    const card = html("section", { class: "run", "data-run": run.name, "aria-label": run.label }, picture.element);
    card.style.setProperty("--role", `var(--series-${i + 1})`);
    const head = html("div", { class: "row" }, card);
    html("strong", { class: "name" }, head, run.label);
    html("span", { class: "state", role: "status" }, head);
    html("span", { class: "count" }, head);
    if (run.mine) buttons(picture, [run.name], "", head);
    else html("span", { class: "watching" }, head, "You are watching");
    html("div", { class: "numbers" }, card);
    html("div", { class: "why" }, card);
  }
  picture.svg = drawSvg(
    "svg",
    { role: "img", class: "curves", height: HEIGHT },
    html("div", { class: "pictures" }, picture.element),
  );
  const scrub = html("label", { class: "scrub" }, picture.element, "Look back to step ");
  scrub.hidden = !runs.length;
  picture.range = html("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step to look at" }, scrub);
  picture.at = html("output", {}, scrub);
  picture.range.oninput = () => {
    picture.held = Number(picture.range.value) < Number(picture.range.max);
    draw(picture);
  };
  picture.texts = html("div", { class: "texts" }, picture.element);
  saveButtons(picture.element, () => ["training", [[picture.svg]]]);
  saveTable(picture.element, () => ["training", ["run", "step", "train_loss_nats", "gradient_norm"], rows(picture)]);
}

/**
 * @param {Its} picture
 * @param {string[]} names
 * @param {string} all what is said after each order
 */
function buttons(picture, names, all, parent = html("div", { class: "row" }, picture.element)) {
  const group = html("span", { class: "row steer" }, parent);
  for (const [verb, word] of VERBS) {
    const button = html("button", { type: "button", "data-verb": verb }, group, word + all);
    button.onclick = () =>
      control(
        picture,
        names.filter((name) => FITS[verb](stateOf(picture, name))),
        verb,
      );
    picture.buttons.push({ button, verb, names });
  }
}

/** @type {(picture: Its, name: string) => string | null} */
const stateOf = (picture, name) => picture.histories.get(name)?.state ?? null;

/** @param {Its} picture */
const historiesOf = ({ data, histories }) => data.runs.map((run) => /** @type {History} */ (histories.get(run.name)));

/** @param {Its} picture */
const rows = (picture) =>
  historiesOf(picture).flatMap(({ losses, norms }, k) =>
    losses.map((loss, i) => [picture.data.runs[k].label, i + 1, loss ?? "", norms[i] ?? ""]),
  );

/** @param {Its} picture */
function draw(picture) {
  if (!picture.histories) return;
  const histories = historiesOf(picture);
  for (const { button, verb, names } of picture.buttons) {
    button.disabled = !names.some((name) => FITS[verb](stateOf(picture, name)));
  }
  const last = Math.max(0, ...histories.map((h) => h.losses.length));
  picture.range.max = String(last);
  if (!picture.held) picture.range.value = String(last);
  const step = picture.held ? Number(picture.range.value) : last;
  picture.at.textContent = picture.held ? `${step} of ${last}` : `${last}, the latest`;
  picture.data.runs.forEach((run, i) => card(picture, run, histories[i], step));
  drawCurves(picture, histories, step);
  texts(picture, histories, step);
}

/** @param {Its} picture @param {RunLabel} run @param {History} history @param {number} step */
function card(picture, run, history, step) {
  const box = picture.element.querySelector(`[data-run="${run.name}"]`);
  /** @type {(selector: string, text: string) => void} */
  const put = (selector, text) => {
    const node = box?.querySelector(selector);
    if (node && node.textContent !== text) node.textContent = text;
  };
  const place = history.place ? `, place ${history.place} in the queue` : "";
  const { followers = 0 } = history;
  const others = followers > 1 ? `, shared with ${followers - 1} other${followers > 2 ? "s" : ""}` : "";
  put(".name", run.label);
  put(".state", `${WORDS[history.state ?? "queued"]}${place}${others}`);
  put(".count", `step ${history.step} of ${history.steps}`);
  const loss = history.losses[Math.min(step, history.losses.length) - 1];
  const evaluation = history.evaluations.findLast((e) => e[0] <= step);
  const parts = [];
  if (loss !== undefined) parts.push(`batch ${written(loss)}`);
  if (evaluation) parts.push(`validation ${written(evaluation[1])} nats, perplexity ${written(evaluation[3])}`);
  for (const [layer, norm] of evaluation?.[2] ?? []) parts.push(`‖∇ ${layer}‖ ${written(norm)}`);
  if (history.parameters) parts.push(`${history.parameters.toLocaleString("en")} weights`);
  if (history.rate) parts.push(`${Math.round(history.rate / 100) / 10}k tokens/s on ${history.device}`);
  put(".numbers", parts.join(" · "));
  put(".why", history.refused || history.why || "");
}

// --- what the models write -----------------------------------------------------------------------

/** @param {Its} picture @param {History[]} histories @param {number} step */
function texts(picture, histories, step) {
  /** @type {[label: string, at: number, text: string][]} */
  const wanted = picture.data.runs.map((run, i) => {
    const sample = histories[i].samples.findLast(([at]) => at <= step);
    return sample ? [run.label, sample[0], sample[1]] : [run.label, 0, ""];
  });
  const key = JSON.stringify(wanted);
  if (picture.written === key) return;
  picture.written = key;
  picture.texts.replaceChildren();
  for (const [i, [label, at, text]] of wanted.entries()) {
    if (!text) continue;
    const block = html("figure", { class: `text series${i + 1}` }, picture.texts);
    html("figcaption", {}, block, `${label} writes after step ${at}`);
    html("pre", {}, block, text);
  }
}

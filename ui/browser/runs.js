// Training runs as they happen: curves, texts, states, and the buttons that control them.
//
// It listens at live/runs by itself (ui/runs.py), so nothing here waits for a rerun of the page.
// The history stays in the browser: scrubbing it asks the server nothing.

import { liveAddress } from "./ask.js";
import { line, scaleLinear, scaleLog } from "./d3.js";
import { drawSvg, html, magnified } from "./dom.js";
import { formatNumber, raised } from "./numbers.js";
import { saveButtons, saveTable } from "./saving.js";
import { evenTicks, logarithmicTicks, lossRange, meanOfEvery } from "./scales.js";
import { stage } from "./stage.js";
import { colours } from "./theme.js";
import { visitorHeaders } from "./visitor.js";

/** @import { Component, Picture, RunMessage, Scripts } from "./types.js" */
/** @typedef {Scripts["runs"]} Data */

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
export const VERBS = [
  ["pause", "Pause"],
  ["step", "One step"],
  ["resume", "Resume"],
  ["stop", "Stop"],
];
export const FITS = {
  pause: (state) => ["running", "queued"].includes(state),
  step: (state) => RESTS.includes(state),
  resume: (state) => RESTS.includes(state),
  stop: (state) => !OVER.includes(state) && !["copying", "away"].includes(state),
};
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 58, 70, 26, 46];

/** @param {Component<Data>} component */
export default function runs({ data, parentElement, setTriggerValue }) {
  const names = data.runs.map((run) => run.name).join(",");
  const [picture, fresh] = stage(parentElement, `${names} ${data.runs.map((run) => run.mine)}`);
  picture.data = data;
  picture.colour = colours(parentElement);
  picture.send = (value) => setTriggerValue("event", value);
  if (fresh) build(picture);
  draw(picture);
  return !fresh && picture.source ? undefined : listen(picture, draw);
}

/**
 * Keep the histories of a picture's runs up to date, and paint it after each message; returns how to end that.
 *
 * @param {Picture<any>} picture
 * @param {(picture: Picture<any>) => void} paint
 */
export function listen(picture, paint) {
  const names = picture.data.runs.map((run) => run.name);
  picture.paint = paint;
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

const empty = () => ({ state: null, step: 0, steps: 1, losses: [], norms: [], evaluations: [], samples: [] });
function clear(history) {
  Object.assign(history, { losses: [], norms: [], evaluations: [], samples: [] });
}

/**
 * A message holds, for each run that changed, its state and what to append from which place on.
 *
 * @param {Picture<Data>} picture
 * @param {Record<string, RunMessage>} message
 */
function apply(picture, message) {
  let rested = false;
  for (const [name, part] of Object.entries(message)) {
    const history = picture.histories.get(name);
    const before = history.state;
    const { since, losses, norms, evaluations, samples, ...state } = part;
    Object.assign(history, state);
    if (since) {
      append(history.losses, since[0], losses);
      append(history.norms, since[0], norms);
      append(history.evaluations, since[1], evaluations);
      append(history.samples, since[2], samples);
    }
    rested ||= before !== null && history.state !== before && AT_REST.includes(history.state);
  }
  picture.paint(picture);
  // The page beside tests the models at rest.
  if (rested) picture.send([...picture.histories].map(([name, { state }]) => [name, state]));
}

// What is no number, once a run has diverged, comes as null.
const number = (value) => (value === null ? "not finite" : formatNumber(value));

function append(list, from, more) {
  list.length = from;
  for (const item of more) list.push(item);
}

/**
 * Give an order to some runs; of a refusal, its sentence is shown.
 *
 * @param {Picture<any>} picture
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
      apply(picture, { [name]: answer?.ok ? said : { state: history.state, why: history.why } });
    }),
  );
}

/** @param {Picture<Data>} picture */
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

/** @param {Picture<Data>} picture */
function buttons(picture, names, all, parent = html("div", { class: "row" }, picture.element)) {
  const group = html("span", { class: "row steer" }, parent);
  for (const [verb, word] of VERBS) {
    const button = html("button", { type: "button", "data-verb": verb }, group, word + all);
    button.onclick = () =>
      control(
        picture,
        names.filter((name) => FITS[verb](picture.histories.get(name).state)),
        verb,
      );
    picture.buttons.push({ button, verb, names });
  }
}

/** @param {Picture<Data>} picture */
const rows = (picture) =>
  picture.data.runs.flatMap(({ name, label }) => {
    const { losses, norms } = picture.histories.get(name);
    return losses.map((loss, i) => [label, i + 1, loss, norms[i]]);
  });

/** @param {Picture<Data>} picture */
function draw(picture) {
  if (!picture.histories) return;
  const histories = picture.data.runs.map((run) => picture.histories.get(run.name));
  for (const { button, verb, names } of picture.buttons) {
    button.disabled = !names.some((name) => FITS[verb](picture.histories.get(name).state));
  }
  const last = Math.max(0, ...histories.map((h) => h.losses.length));
  picture.range.max = last;
  if (!picture.held) picture.range.value = last;
  const step = picture.held ? Number(picture.range.value) : last;
  picture.at.textContent = picture.held ? `${step} of ${last}` : `${last}, the latest`;
  picture.data.runs.forEach((run, i) => card(picture, run, histories[i], step));
  curves(picture, histories, step);
  texts(picture, histories, step);
}

/** @param {Picture<Data>} picture */
function card(picture, run, history, step) {
  const box = picture.element.querySelector(`[data-run="${run.name}"]`);
  const put = (selector, text) => {
    const node = box.querySelector(selector);
    if (node.textContent !== text) node.textContent = text;
  };
  const place = history.place ? `, place ${history.place} in the queue` : "";
  const others =
    history.followers > 1 ? `, shared with ${history.followers - 1} other${history.followers > 2 ? "s" : ""}` : "";
  put(".name", run.label);
  put(".state", `${WORDS[history.state ?? "queued"]}${place}${others}`);
  put(".count", `step ${history.step} of ${history.steps}`);
  const loss = history.losses[Math.min(step, history.losses.length) - 1];
  const evaluation = history.evaluations.findLast((e) => e[0] <= step);
  const parts = [];
  if (loss !== undefined) parts.push(`batch ${number(loss)}`);
  if (evaluation) parts.push(`validation ${number(evaluation[1])} nats, perplexity ${number(evaluation[3])}`);
  for (const [layer, norm] of evaluation?.[2] ?? []) parts.push(`‖∇ ${layer}‖ ${number(norm)}`);
  if (history.parameters) parts.push(`${history.parameters.toLocaleString("en")} weights`);
  if (history.rate) parts.push(`${Math.round(history.rate / 100) / 10}k tokens/s on ${history.device}`);
  put(".numbers", parts.join(" · "));
  put(".why", history.refused || history.why || "");
}

// --- the curves ----------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function curves(picture, histories, step) {
  const { svg, colour } = picture;
  svg.replaceChildren();
  // As wide as there is room, so that letters keep their size on a phone.
  const width = Math.min(900, (picture.element.clientWidth || 760) / magnified());
  const shape = { width: magnified() * width, viewBox: `0 0 ${width} ${HEIGHT}`, "font-size": 13, fill: colour.ink };
  for (const [name, value] of Object.entries(shape)) svg.setAttribute(name, value);
  const { recorded } = picture.data;
  const { uniform, truth } = histories.find((h) => h.uniform) ?? {
    uniform: recorded[0]?.uniform ?? null,
    truth: recorded[0]?.truth ?? null,
  };
  if (uniform === null) return;
  const longest = Math.max(
    10,
    ...histories.map((h) => h.losses.length),
    ...recorded.map((its) => its.evaluations.at(-1)[0]),
  );
  const many = Math.ceil(longest / POINTS);
  const batches = histories.map((h) => meanOfEvery(h.losses, many));
  const [low, high] = lossRange(batches, [...histories, ...recorded], uniform, truth);
  const x = scaleLinear([0, longest], [LEFT, width - RIGHT]);
  const inside = scaleLog([low, high], [HEIGHT - BOTTOM, TOP]);
  // Where the loss is 0, its logarithm is far below the frame.
  const y = (loss) => inside(Math.max(loss, low / 1e3));
  const along = line(
    ([s]) => x(s),
    ([, loss]) => y(loss),
  );
  axes(svg, x, y, { width, longest, low, high, colour, many });
  const frame = drawSvg("clipPath", { id: "frame" }, drawSvg("defs", {}, svg));
  drawSvg("rect", { x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM }, frame);
  const bounds = [[uniform, -6, `ln |V| = ${formatNumber(uniform)}: uniform guessing`]];
  if (truth !== null) bounds.push([truth, 15, `the grammar's own loss: ${formatNumber(truth)}`]);
  for (const [loss] of bounds)
    drawSvg(
      "line",
      {
        x1: LEFT,
        x2: width - RIGHT,
        y1: y(loss),
        y2: y(loss),
        stroke: colour.ink,
        "stroke-dasharray": "7 5",
        "stroke-opacity": 0.7,
        class: "bound",
      },
      svg,
    );
  const ends = recorded.map((its) => y(its.evaluations.findLast((e) => e[1] !== null)[1]));
  recorded.forEach((its, i) => ghost(svg, its, i, { x, along, colour, at: nameAt(ends, i) }));
  const thin = drawSvg("g", { class: "curve", "clip-path": "url(#frame)" }, svg);
  batches.forEach((means, i) =>
    drawSvg("path", { ...THIN, d: along(means) ?? "", stroke: colour[`series-${i + 1}`], class: "batch" }, thin),
  );
  histories.forEach((history, i) => validation(svg, history, i, { x, y, along, colour }));
  if (picture.held)
    drawSvg(
      "line",
      {
        x1: x(step),
        x2: x(step),
        y1: TOP,
        y2: HEIGHT - BOTTOM,
        stroke: colour.ink,
        "stroke-width": 1.5,
        class: "held",
      },
      svg,
    );
  // Above all lines; the one over its own line, the other under, so that they never meet.
  for (const [loss, off, text] of bounds) {
    drawSvg(
      "text",
      {
        x: width - RIGHT - 6,
        y: y(loss) + off,
        "text-anchor": "end",
        class: "bound",
        stroke: colour.background,
        "stroke-width": 4,
        "stroke-linejoin": "round",
        "paint-order": "stroke",
      },
      svg,
      text,
    );
  }
  svg.setAttribute("aria-label", described(picture, histories));
}

// So few points that the thin line shows where the loss is, and not how much batches differ.
const POINTS = 200;
const THIN = { fill: "none", "stroke-width": 1, "stroke-opacity": 0.5 };
const THICK = { fill: "none", "stroke-width": 2.6 };
const DASHES = ["none", "9 5", "2 4", "9 4 2 4", "none", "none"];

function validation(svg, { evaluations }, i, { x, y, along, colour }) {
  const [judged, role] = [evaluations.filter((e) => e[1] !== null), colour[`series-${i + 1}`]];
  const group = drawSvg("g", { class: "curve" }, svg);
  drawSvg(
    "path",
    { ...THICK, d: along(judged) ?? "", stroke: role, "stroke-dasharray": DASHES[i], class: "validation" },
    group,
  );
  const end = judged.at(-1);
  if (end) drawSvg("circle", { cx: x(end[0]), cy: y(end[1]), r: 4, fill: role }, group);
}

// A recorded run, behind those that train now, with its name at its end.
function ghost(svg, { label, evaluations }, i, { x, along, colour, at }) {
  const judged = evaluations.filter((e) => e[1] !== null);
  drawSvg(
    "path",
    {
      ...THICK,
      d: along(judged) ?? "",
      stroke: colour.quiet,
      "stroke-dasharray": i ? "2 4" : "7 5",
      class: "recorded",
    },
    drawSvg("g", { class: "curve" }, svg),
  );
  drawSvg(
    "text",
    {
      x: x(judged.at(-1)[0]) - 8,
      y: at,
      "text-anchor": "end",
      fill: colour.quiet,
      stroke: colour.background,
      "stroke-width": 4,
      "stroke-linejoin": "round",
      "paint-order": "stroke",
    },
    svg,
    label,
  );
}

// Above its own curve's end; of curves that end close together, the names stand one above the other.
function nameAt(ends, i) {
  const near = ends.filter((end) => Math.abs(end - ends[i]) < 20);
  const below = ends.filter((end, j) => near.includes(end) && (end > ends[i] || (end === ends[i] && j < i)));
  return Math.min(...near) - 9 - 16 * below.length;
}

function axes(svg, x, y, { width, longest, low, high, colour, many }) {
  for (const loss of logarithmicTicks(low, high)) {
    drawSvg(
      "line",
      { x1: LEFT, x2: width - RIGHT, y1: y(loss), y2: y(loss), stroke: colour.ink, "stroke-opacity": 0.13 },
      svg,
    );
    drawSvg("text", { x: LEFT - 8, y: y(loss) + 4, "text-anchor": "end", class: "nats" }, svg, formatNumber(loss));
    drawSvg("text", { x: width - RIGHT + 8, y: y(loss) + 4 }, svg, perplexity(loss));
  }
  const room = Math.floor((width - LEFT - RIGHT) / 60);
  for (const s of evenTicks(0, longest, Math.min(room, 5)))
    drawSvg("text", { x: x(s), y: HEIGHT - BOTTOM + 20, "text-anchor": "middle" }, svg, String(s));
  drawSvg("text", { x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, svg, "training step");
  const side = (at, text, turn) =>
    drawSvg(
      "text",
      { transform: `translate(${at} ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(${turn})`, "text-anchor": "middle" },
      svg,
      text,
    );
  side(14, "loss, nats per token, log scale", -90);
  side(width - 6, "perplexity", -90);
  let at = LEFT;
  for (const { line, text, room } of [
    { line: THIN, text: many > 1 ? `mean of ${many} batches` : "each batch", room: 165 },
    { line: THICK, text: "validation", room: 0 },
  ]) {
    drawSvg("line", { ...line, x1: at, x2: at + 26, y1: 12, y2: 12, stroke: colour.ink }, svg);
    drawSvg("text", { x: at + 33, y: 16, class: "key" }, svg, text);
    at += room;
  }
}

// From 1e5 on, only the power of ten is shown.
function perplexity(loss) {
  if (loss < Math.log(1e5)) return formatNumber(Number(Math.exp(loss).toPrecision(3)));
  return `≈10${raised(Math.round(loss / Math.LN10))}`;
}

/** @param {Picture<Data>} picture */
function described(picture, histories) {
  const parts = picture.data.runs.map((run, i) => {
    const end = histories[i].evaluations.at(-1);
    return end
      ? `${run.label}: validation loss ${number(end[1])} nats after step ${end[0]}`
      : `${run.label}: no values yet`;
  });
  const before = picture.data.recorded.map(
    ({ label, evaluations }) => `${label}: ${number(evaluations.at(-1)[1])} nats after step ${evaluations.at(-1)[0]}`,
  );
  return `Loss over training steps, on a logarithmic scale. Thin lines: batches; thick lines: validation. ${[...parts, ...before].join(". ")}.`;
}

// --- what the models write -----------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function texts(picture, histories, step) {
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

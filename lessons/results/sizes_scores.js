// Circles at the height of their perplexity, below the best one before them; and how long the largest was held back.

/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { SizesPlaces, SizesScene } from "./sizes.js" */
/** @typedef {(pen: Pen, scene: SizesScene, at: SizesPlaces, shown: number) => void} Draw */

/** @param {Pen} pen @param {SizesScene} scene @param {SizesPlaces} at */
export function drawScores(pen, scene, at) {
  const shown = Math.round(scene.values("shown"));
  drawPerplexities(pen, scene, at, shown);
  if (scene.data.held) drawHeld(pen, scene, at, shown);
  drawModels(pen, scene, at, shown);
}

/**
 * The axis of the perplexity, and the best one before.
 *
 * @type {Draw}
 */
function drawPerplexities(pen, { data, colour, width, narrow }, { up, top, left, right }) {
  const size = narrow ? 14 : 17;
  pen.axis("y", up.place, {
    at: narrow ? 34 : 60,
    ticks: up.ticks.map(({ value }) => value),
    size,
    lines: [narrow ? 40 : 70, width - 10],
    look: { stroke: colour.line, width: 1 },
    title: `perplexity on ${data.test}, log scale; lower is better`,
    titled: { x: narrow ? 8 : 16, y: top - 16, size: narrow ? 13 : 16, bold: true, anchor: "start" },
  });
  const y = up.place(data.best);
  pen.line(narrow ? 40 : 70, y, width - 10, y, { key: "best", stroke: colour.quiet, width: 3, dash: "10 7" });
  const said = `best before: ${data.bestSaid}`;
  const look = { key: "best said", size: narrow ? 14 : 20, bold: true, fill: colour.quiet, halo: true };
  pen.text(width - 12, y - 8, said, { ...look, anchor: "end" });
}

/**
 * The circles so far, each with its size and its perplexity.
 *
 * @type {Draw}
 */
function drawModels(pen, { data, colour, narrow, move, hidden, text }, { x, y, radii }, shown) {
  const size = narrow ? 14 : 22;
  for (let i = 0; i < shown; i++) {
    const last = i === shown - 1;
    const name = `${data.models[i]}, ${data.released[i]}, ${data.printed[i]} parameters. Show up to here`;
    pen.button(
      name,
      () => move("shown", i + 1, true),
      (its) => its.circle(x[i], y[i], radii[i], { fill: colour.input, "fill-opacity": last ? 1 : 0.7 }),
      { key: `circle ${i}` },
    );
    /** @type {Anchor} */
    const anchor = narrow ? "middle" : "start";
    const side = narrow ? 0 : radii[i] + 12;
    const printed = narrow ? data.printed[i].replace(" million", " M").replace(" billion", " B") : data.printed[i];
    const held = data.held && !last;
    const top = narrow ? y[i] - radii[i] - (held ? 8 : 24) : held ? y[i] - radii[i] * 0.6 : y[i] - 4;
    pen.text(x[i] + side, top, printed, { key: `size ${i}`, size, bold: last, fill: colour.input, anchor, halo: true });
    if (held) continue;
    const named = last && !data.held;
    const score = last && !data.held ? text("score") : data.perplexities[i];
    const look = { key: `score ${i}`, size: narrow ? 15 : 24, bold: last, anchor, halo: true };
    pen.markedText(x[i] + side, top + (narrow ? 18 : 28), score, named, look);
  }
}

/**
 * The last model where it was described, and the time until its release.
 *
 * @type {Draw}
 */
function drawHeld(pen, { data, colour, narrow, text }, { x, y, radii }, shown) {
  const i = data.models.length - 1;
  const [from, to] = [x[0], x[i]];
  pen.circle(from, y[i], radii[i], { key: "described", stroke: colour.ink, line: 2.5, dash: "6 5" });
  const size = narrow ? 14 : 20;
  const above = y[i] - radii[i] - size * 0.5;
  pen.text(from, above, "described", { key: "described said", size, anchor: "middle", halo: true });
  if (shown <= i) return;
  const [start, end] = [from + radii[i] + 6, to - radii[i] - 6];
  pen.line(start, y[i], end - 12, y[i], { key: "held", stroke: colour.ink, width: 3 });
  pen.head(end, y[i], 0, colour.ink, 14);
  const said = narrow ? `${text("months")} months` : `held back for ${text("months")} months`;
  const look = { key: "held said", size: narrow ? 15 : 24, bold: true, anchor: /** @type {const} */ ("middle") };
  pen.markedText((start + end) / 2, y[i] + size * 1.9, said, true, look);
}

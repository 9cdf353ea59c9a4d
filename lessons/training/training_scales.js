// Scales and choices of the picture of training: nothing here draws.

import { line, scaleLinear, scaleLog } from "../../ui/browser/d3.js";
import { textWidth } from "../../ui/browser/pen.js";
import { logarithmicTicks, lossRange } from "../../ui/browser/scales.js";

// As lmcore.shipped.recordings: a step is at log(1 + step / BEND), so that step 0 has its place too.
export const BEND = 10;
const POINTS = 240;
const RISEN = 0.02;
const known = (points) => points.filter(([, value]) => value !== null);

/** Means of the batches, of one each at first, then of equal width on the scale of steps. */
export function wideningMeans(values) {
  const ratio = (1 + values.length / BEND) ** (1 / POINTS);
  const points = [];
  for (let start = 0; start < values.length;) {
    const end = Math.min(values.length, Math.max(start + 1, Math.round((start + BEND) * ratio) - BEND));
    const part = values.slice(start, end);
    points.push([end, part.includes(null) ? null : part.reduce((sum, value) => sum + value, 0) / part.length]);
    start = end;
  }
  return points;
}

/** What is drawn of a run of the server, in the same shape as what is recorded. */
export function curveOf(history, label) {
  return {
    label,
    live: true,
    state: history.state,
    step: history.step,
    steps: history.steps,
    why: history.why ?? "",
    batches: wideningMeans(history.losses),
    samples: history.samples,
    evaluations: history.evaluations.map(([step, loss]) => [step, loss]),
  };
}

/** The scales of a chart in that frame, and the path through points. */
export function scalesOf(curves, { longest, uniform, truth }, frame) {
  const shown = curves.map((curve) => ({ ...curve, evaluations: known(curve.evaluations) }));
  const [low, high] = lossRange(
    shown.map((curve) => known(curve.batches)),
    shown,
    uniform,
    truth,
  );
  const along = scaleLinear([0, Math.log1p(longest / BEND)], [frame.left, frame.right]);
  const x = (step) => along(Math.log1p(step / BEND));
  const inside = scaleLog([low, high], [frame.foot, frame.top]);
  const y = (loss) => Math.min(Math.max(inside(Math.max(loss, low / 1e3)), frame.top), frame.foot);
  const through = line(
    ([step]) => x(step),
    ([, loss]) => y(loss),
  );
  const stepAt = (place) => Math.max(0, Math.min(longest, Math.round(BEND * Math.expm1(along.invert(place)))));
  return {
    x,
    y,
    through: (points) => through(known(points)) ?? "",
    nats: logarithmicTicks(low, high),
    steps: stepTicks(longest, x),
    stepAt,
  };
}

function stepTicks(longest, x) {
  const round = [0, 10, 30, 100, 300, 1000, 3000, 10000, 30000].filter(
    (step) => step < longest && x(longest) - x(step) > 46,
  );
  return [...round, longest];
}

/** Where texts stand, the wanted places being at least `gap` apart and between top and foot. */
export function apart(wanted, gap, top, foot) {
  const order = wanted.map((place, i) => ({ place, i })).sort((a, b) => a.place - b.place);
  order.forEach((each, k) => (each.place = Math.max(each.place, k ? order[k - 1].place + gap : top)));
  for (let k = order.length - 1, least = foot; k >= 0; k--) {
    order[k].place = Math.min(order[k].place, least);
    least = order[k].place - gap;
  }
  const places = wanted.slice();
  for (const { place, i } of order) places[i] = place;
  return places;
}

/** The steps under which texts stand: at even distances on the axis, the first and the last included. */
export const textSteps = (longest, count) =>
  Array.from({ length: count }, (_, i) => Math.round(BEND * ((1 + longest / BEND) ** (i / (count - 1)) - 1)));

/** For each of these steps the text nearest to it, or null, none twice; for the next one the newest text. */
export function chosenTexts(samples, steps, reached) {
  const at = (step) => Math.log1p(step / BEND);
  let last = -1;
  return steps.map((wanted, i) => {
    const before = i ? (at(steps[i - 1]) + at(wanted)) / 2 : -Infinity;
    const after = i + 1 < steps.length ? (at(wanted) + at(steps[i + 1])) / 2 : Infinity;
    const newest = samples[samples.length - 1];
    if (newest && wanted > reached) {
      const next = (i === 0 || steps[i - 1] <= reached) && newest[0] > last;
      return next ? newest : null;
    }
    const fitting = samples.filter(([step]) => step > last && at(step) >= before && at(step) < after);
    if (!fitting.length) return null;
    const best = fitting.reduce((a, b) => (Math.abs(at(b[0]) - at(wanted)) < Math.abs(at(a[0]) - at(wanted)) ? b : a));
    last = best[0];
    return best;
  });
}

/** The validation loss at the last evaluation up to a step. */
export const lossAt = (curve, step = Infinity) => curve.evaluations.findLast(([at]) => at <= step) ?? null;

/** A text in lines of at most that width, a `sentence` with a capital; the last line holds what is left. */
export function wrapped(text, room, size, most, sentence = false) {
  const lines = [""];
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  for (const word of (sentence ? whole : text).replace(/\s+/g, " ").split(" ")) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (textWidth(longer, size) <= room || !lines[lines.length - 1]) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), lines.slice(most - 1).join(" ")];
}

const OVER = ["finished", "diverged", "stopped", "failed", "gone"];
export const isOver = (state) => OVER.includes(state);

/** The beat in which nothing is dimmed: the current one while a run is going, else `lit`, the last such beat. */
export const litBeat = (told, beat, lit) => (told.some(({ state }) => !isOver(state)) ? beat : lit);

/** The numbers of runs, by name, and which sentence and formula belong to them. */
export function standing(data, histories) {
  const { says } = data;
  const curves = histories.map((history, i) => curveOf(history, data.runs[i].label));
  const losses = curves.map((curve) => lossAt(curve)?.[1] ?? null);
  const finite = losses.map((loss) => loss ?? Infinity);
  const named = finite.indexOf(Math.min(...finite));
  const [history, curve] = [histories[named], curves[named]];
  const judged = known(curve.evaluations);
  const begun = histories.find((each) => each.uniform) ?? {};
  const uniform = begun.uniform ?? data.uniform;
  const truth = begun.uniform ? (begun.truth ?? null) : data.truth;
  const final = losses[named] ?? NaN;
  const [bestStep, best] = judged.reduce((a, b) => (b[1] < a[1] ? b : a), [NaN, Infinity]);
  const norm = Math.max(...history.norms.filter((each) => each !== null));
  const rate = data.rates[named];
  const others = finite.filter((_, i) => i !== named);
  const numbers = {
    uniform,
    truth: truth ?? NaN,
    truth_perplexity: Math.exp(truth ?? NaN),
    step: history.step,
    steps: history.steps,
    final,
    perplexity: Math.exp(final),
    share: Number(((100 * (uniform - final)) / (uniform - truth)).toPrecision(4)),
    best,
    best_step: bestStep,
    batch: known(curve.batches).at(-1)?.[1] ?? NaN,
    second: others.length ? Math.min(...others) : NaN,
    norm,
    update: rate * norm,
    rate,
    passes: (data.passes[named] * history.step) / history.steps,
    types: Math.round(Math.exp(uniform)),
  };
  curves.forEach((each, i) => Object.assign(numbers, { [`loss${i}`]: losses[i] ?? NaN, [`at${i}`]: each.step }));
  const formula = curve.state === "diverged" && curves.length === 1 ? 2 : judged.length ? 1 : 0;
  return { numbers: { ...numbers, "@say": sentence(), "@formula": formula }, named, uniform, truth };

  function sentence() {
    const states = histories.map((each) => each.state);
    const { state } = history;
    if (states.every((each) => each === null)) return says.reading;
    if (states.every((each) => each === "queued")) return says.queued;
    if (curves.length > 1 && judged.length) return (states.every(isOver) ? says.won : says.leads) + named;
    if (["failed", "gone", "away"].includes(state)) return says[state];
    if (!judged.length) return isOver(state) ? says.stopped : says.begins;
    if (state === "diverged") return final > uniform ? says.ended_diverged : says.ended_diverged_below;
    if (data.passes[named] && final > (1 + RISEN) * best && numbers.batch < final) return says.ended_overfits;
    if (["paused", "interrupted"].includes(state)) return says.paused;
    if (!isOver(state)) return says.running;
    if (!(final < uniform)) return says.worse;
    if (truth === null) return says.ended_alone;
    return final <= truth ? says.ended_below : says.ended;
  }
}

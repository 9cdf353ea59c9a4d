// Live training: the loss against the steps, drawn over a recorded run, with the texts that the model wrote below their
// steps. The numbers of the runs come from a separate stream (ui/browser/runs.js).

import { frameEvent } from "../../drawing/frames.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { listen } from "../../ui/browser/runs.js";
import { drawAxes, drawGuessing, drawTruth } from "./training_axes.js";
import { drawCards } from "./training_cards.js";
import { chartOf, historiesOf, litScene } from "./training_chart.js";
import { drawCurves, drawZoom } from "./training_curves.js";
import { drawEnds } from "./training_ends.js";
import { drawLanes } from "./training_lanes.js";
import { drawReader } from "./training_reader.js";
import { standing } from "./training_standing.js";
import { drawZone } from "./training_zone.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Follower, TrainingScene } from "./training_chart.js" */

/** @type {WeakMap<ShadowRoot, Follower>} */
const followers = new WeakMap();

/** @param {Component<Scripts["training"]>} component */
export default function training(component) {
  const { data, parentElement, setTriggerValue } = component;
  const names = data.runs.map((run) => run.name).join(",");
  /** @type {Follower["send"]} */
  const send = (value) => setTriggerValue("event", value);
  const known = followers.get(parentElement);
  /** @type {Follower} */
  const follower = known ?? { data, send, names: null, histories: new Map(), paint: () => {}, source: null };
  if (!known) followers.set(parentElement, follower);
  Object.assign(follower, { data, send });
  if (follower.names !== names || (names && !follower.source)) {
    follower.stop?.();
    Object.assign(follower, { names, histories: new Map(), stop: undefined });
    if (names) follower.stop = listen(follower, () => showHistories(follower));
  }
  const stop = mainPicture(component, (pen, /** @type {TrainingScene} */ scene) => drawTraining(pen, scene, follower));
  showHistories(follower);
  return () => {
    follower.stop?.();
    stop();
  };
}

/**
 * Pass the numbers of the runs to the sentence, the formula and the picture as a frame event, as a slider does.
 *
 * @param {Follower} follower
 */
function showHistories(follower) {
  const { data } = follower;
  if (!data.runs.length) return;
  /** @type {Record<string, number>} */
  const numbers = standing(data, historiesOf(follower)).numbers;
  const row = data.names.map((name, i) => numbers[name] ?? data.now[i]);
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail: { row, moved: null, label: null } }));
}

/** @param {Pen} pen @param {TrainingScene} given @param {Follower} follower */
function drawTraining(pen, given, follower) {
  const scene = litScene(given, follower);
  const chart = chartOf(scene, follower);
  const start = { class: chart.live.length ? "run" : null };
  if (!chart.open) scene.chooseTexts(scene.data.says.asked);
  pen.group({ key: "axes" }, (its) => drawAxes(its, scene, chart));
  pen.part(scene, "guessing", (its) => drawGuessing(its, scene, chart));
  if (chart.truth !== null) pen.part(scene, "floor", (its) => drawTruth(its, scene, chart));
  pen.part(scene, "curves", (its) => drawCurves(its, scene, chart));
  if (chart.many && !scene.narrow) pen.part(scene, "zoom", (its) => drawZoom(its, scene, chart));
  pen.part(scene, "ends", (its) => drawEnds(its, scene, chart));
  pen.part(scene, "start", (its) => drawZone(its, scene, chart, follower), start);
  pen.part(scene, "texts", (its) =>
    chart.many ? drawLanes(its, scene, chart, follower) : drawCards(its, scene, chart),
  );
  pen.group({ key: "reader" }, (its) => drawReader(its, scene, chart, follower));
}

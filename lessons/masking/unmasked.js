// One small Transformer trained with the causal mask and without: both losses, recorded and live, and beside them the
// texts that the two models write.

import { scaleLinear, scaleLog } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { OVER, listen } from "../../ui/browser/runs.js";
import { drawAxes, drawCurves } from "./unmasked_curves.js";
import { lossEnds } from "./unmasked_places.js";
import { drawWritings } from "./unmasked_writing.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { History, Listener } from "../../ui/browser/runs.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @typedef {Scripts["unmasked"]} Data */
/** @typedef {Scene<"unmasked">} UnmaskedScene */
/**
 * The subscription of a picture to its runs: their names, the listener if there is one, and how to end it.
 *
 * @typedef {{ names: string, listener: Listener | null, end?: () => void, again?: () => void }} Listening
 */
/** @type {WeakMap<ShadowRoot, Listening>} */
const listening = new WeakMap();

/** @param {Component<Data>} component */
export default function unmasked(component) {
  const { data, parentElement, setTriggerValue } = component;
  const its = listeningIn(parentElement, data.runs.map((run) => run.name).join(","));
  const stop = mainPicture(component, (pen, /** @type {UnmaskedScene} */ scene) => {
    its.again = scene.again;
    drawUnmasked(pen, scene, its.listener?.histories ?? null);
  });
  if (its.names && !its.listener) {
    /** @type {Listener} */
    const listener = {
      data,
      send: (value) => setTriggerValue("event", value),
      histories: new Map(), // `listen` adds an empty history for each run
      paint: () => {},
      source: null,
    };
    its.listener = listener;
    its.end = listen(listener, () => its.again?.());
  }
  return () => {
    stop();
    its.end?.();
    Object.assign(its, { listener: null, end: undefined });
  };
}

/**
 * The subscription of the picture in this root; it is replaced if the runs have changed.
 *
 * @param {ShadowRoot} root @param {string} names
 */
function listeningIn(root, names) {
  const known = listening.get(root);
  if (known?.names === names) return known;
  known?.end?.();
  /** @type {Listening} */
  const its = { names, listener: null };
  listening.set(root, its);
  return its;
}

/** @param {Pen} pen @param {UnmaskedScene} scene @param {Map<string, History> | null} histories */
function drawUnmasked(pen, scene, histories) {
  const { data, narrow, width, height } = scene;
  const live = histories ? data.runs.map((run) => /** @type {History} */ (histories.get(run.name))) : [];
  const rests = live.length > 0 && live.every(({ state }) => state !== null && ["paused", ...OVER].includes(state));
  const tested = data.judged && rests;
  scene.chooseTexts(data.runs.length && tested ? 1 : 0);
  const box = narrow
    ? { left: 46, right: width - 10, top: 30, foot: height * 0.56 }
    : { left: 74, right: width * 0.6, top: 34, foot: height - 50 };
  const ends = lossEnds([
    ...data.curves.map(({ losses }) => losses),
    ...live.map(({ evaluations }) => evaluations.map(([, loss]) => loss)),
  ]);
  const x = scaleLinear([0, data.steps], [box.left + 4, box.right - 8]).clamp(true);
  const plot = { box, ends, x, y: scaleLog(ends, [box.foot, box.top]).clamp(true) };
  pen.part(scene, "curves", (its) => {
    drawAxes(its, scene, plot, data.runs.length > 0 && !tested);
    drawCurves(its, scene, plot, live);
  });
  pen.part(scene, "writes", (its) => drawWritings(its, scene, live));
}

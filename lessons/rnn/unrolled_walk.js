// The walk through the steps of an unrolled network, one quantity at a time, by buttons or by the player.

import { sendAtRest } from "../../ui/browser/events.js";
import { frameEvent } from "../../drawing/frames.js";

/** @import { Sender } from "../../ui/browser/events.js" */
/** @import { Row } from "../../drawing/frames.js" */
/** @import { Stopped } from "../../drawing/types.js" */
/** @import { Data, Place } from "./column.js" */
/**
 * @typedef {Sender<string, Stopped> & {
 *   data: Data, place: Place, playing: number, root: Element | null, again: () => void
 * }} Walk `playing` is the timer of the player, 0 while stopped; `root` and `again` belong to the picture
 */

const BEAT = 280; // ms per quantity while playing

/** @param {Data} data @param {Place} place */
export const keyOf = (data, { step, phase }) => `${step} ${data.phases[phase]}`;

/** @param {Data} data @param {Row} row @returns {Place} */
export const placeIn = ({ names }, row) => ({ step: row[names.indexOf("@t")], phase: row[names.indexOf("@phase")] });

/**
 * The numbers of a step after one of its quantities.
 *
 * @param {Data} data @param {Place} place
 */
export function rowOf({ names, table, phases }, { step, phase }) {
  const row = table.slice((step - 1) * names.length, step * names.length);
  row[names.indexOf("@phase")] = phase;
  for (const text of ["@say", "@formula"]) row[names.indexOf(text)] = (step - 1) * phases.length + phase;
  return row;
}

/** @param {Walk} walk @param {Place} place */
export function go(walk, place) {
  const { data } = walk;
  walk.place = place;
  const detail = { row: rowOf(data, place), moved: "walk", label: "", own: true };
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail }));
  const value = { step: place.step, phase: data.phases[place.phase], unit: data.unit };
  sendAtRest(walk, keyOf(data, place), { value });
}

/**
 * The place of the next or previous quantity, or null at either end.
 *
 * @param {Walk} walk @param {Place} place @param {1 | -1} way
 */
export function beside({ data }, { step, phase }, way) {
  const last = data.phases.length;
  const count = (step - 1) * last + phase + way;
  if (count < 0 || count >= last * data.words.length) return null;
  return { step: Math.floor(count / last) + 1, phase: count % last };
}

/** @param {Walk} walk */
export function pause(walk) {
  clearInterval(walk.playing);
  walk.playing = 0;
}

/** @param {Walk} walk */
export function play(walk) {
  if (!beside(walk, walk.place, 1)) go(walk, { step: 1, phase: 0 });
  walk.playing = setInterval(() => {
    const next = walk.root?.isConnected ? beside(walk, walk.place, 1) : null;
    if (next) go(walk, next);
    else pause(walk);
    walk.again();
  }, BEAT);
}

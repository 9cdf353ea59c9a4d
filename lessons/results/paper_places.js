// Where the parts of the picture of the paper label are drawn: the apple at the left, or above the bars on a phone.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"paper">} PaperScene */
/** @typedef {ReturnType<typeof placesOf>} PaperPlaces */

/** @param {Pick<PaperScene, "data" | "width" | "height" | "narrow">} scene */
export function placesOf({ data, width, height, narrow }) {
  const edge = narrow ? 8 : 16;
  const foot = height - (narrow ? 62 : 74);
  const top = narrow ? Math.min(150, height * 0.34) : 12;
  const pitch = (foot - top) / data.labels.length;
  const r = narrow ? top * 0.36 : Math.min(118, height * 0.26);
  const apple = narrow ? { x: width * 0.27, y: top * 0.48, r } : { x: 164, y: height * 0.36, r };
  const paper = narrow ? { wide: 66, high: 34 } : { wide: 128, high: 62 };
  const aside = narrow ? { x: width * 0.72, y: top * 0.36 } : { x: 164, y: height - 94 };
  const hint = narrow ? { x: width * 0.72, y: top * 0.8 } : { x: 164, y: height - 36 };
  const right = width - edge;
  return {
    narrow,
    edge,
    foot,
    top,
    apple,
    aside,
    paper,
    hint,
    right,
    size: narrow ? 14 : 20,
    high: pitch * (narrow ? 0.62 : 0.66),
    share: scaleLinear([0, 100], narrow ? [104, width - 116] : [470, width - 210]),
    /** @type {(n: number) => number} the top of a label’s bar */
    y: (n) => top + n * pitch + pitch * 0.17,
  };
}

// A line of text in several colours around a point, some parts of which can be dragged.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {[text: string, fill: string, slider?: string]} Piece */

const PER = 60; // the length of a drag, in units of the drawing, that changes a number by 1

/**
 * @param {Pen} pen
 * @param {number} x the middle of the line
 * @param {number} y
 * @param {readonly Piece[]} parts
 * @param {number} size
 * @param {string} key
 * @param {number} room to which the line is shrunk; 0 for any width
 */
export function pieces(pen, x, y, parts, size, key, room = 0) {
  const whole = parts.reduce((sum, [text]) => sum + textWidth(text, size, true), 0);
  const share = room ? Math.min(1, room / whole) : 1;
  let left = x - (whole * share) / 2;
  pen.group({ key }, (line) => {
    parts.forEach(([words, fill, slider], i) => {
      const text = words.replaceAll(" ", "\u00a0"); // a browser drops spaces at an end
      const wide = textWidth(text, size, true) * share;
      const look = { size: size * share, bold: true, fill };
      const held = slider ? { "data-n": slider, "data-per": PER, "data-way": "x" } : {};
      const place = left;
      line.group({ key: i, ...held }, (part) => {
        if (slider) part.rect(place, y - size, wide, size * 1.3, { fill: pen.colour.background, "fill-opacity": 0.01 });
        part.text(place, y, text, look);
      });
      left += wide;
    });
  });
}

// How to reach the keys that have no row: two buttons with the number of these keys, and the wheel.

import { INNER } from "./flow_layout.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Rows, Span } from "./flow_layout.js" */
/** @import { FlowScene } from "./flow_scene.js" */

const NOTCH = 30; // px that the wheel is turned for one key

/**
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {Rows & { begin: number }} at
 * @param {Span} span in which the buttons stand
 */
export function drawScrolling(pen, { data, memory, colour, again }, at, { left, right }) {
  const count = data.tokens.length;
  /** @param {number} by */
  const go = (by) => {
    memory.begin = Math.min(Math.max(at.begin + by, 0), count - at.shown);
    again();
  };
  const room = Math.min(150, (right - left - 2 * INNER - 8) / 2);
  const sides = [
    { name: "earlier", way: -1, arrow: "▲", more: at.begin },
    { name: "later", way: 1, arrow: "▼", more: count - at.begin - at.shown },
  ];
  sides.forEach(({ name, way, arrow, more }, i) => {
    const x = left + INNER + i * (room + 8);
    const none = more === 0;
    const frame = { r: 12, fill: colour.background, stroke: none ? colour.line : colour.key };
    const look = /** @type {const} */ ({ size: 14, fill: none ? colour.quiet : colour.key, anchor: "middle" });
    pen.button(
      `Show ${name} keys`,
      () => go(way * Math.max(1, at.shown - 1)),
      (button) => {
        button.rect(x, at.last + 4, room, 24, frame);
        button.text(x + room / 2, at.last + 21, `${arrow} ${more} ${name}`, look);
      },
      { key: name, disabled: none },
    );
  });
  /** @type {SVGElement} */ (pen.parent).onwheel = (event) => {
    event.preventDefault();
    memory.turned = (memory.turned ?? 0) + event.deltaY;
    if (Math.abs(memory.turned) < NOTCH) return;
    go(Math.sign(memory.turned));
    memory.turned = 0;
  };
}

// Buttons for the texts of the lanes: one word back, one word on, and from the beginning.

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Shown, StrategiesScene } from "./strategies_scene.js" */

/** @param {Pen} pen @param {StrategiesScene} scene @param {Shown} shown @param {number} left @param {number} y */
export function drawWordButtons(pen, { memory, colour, again }, { written, longest }, left, y) {
  /** @param {number} change */
  const by = (change) => () => {
    memory.step = Math.min(Math.max((memory.step ?? written) + change, 0), longest);
    again();
  };
  const begin = () => {
    Object.assign(memory, { step: null, start: performance.now() });
    again();
  };
  const buttons = [
    { sign: "‹", name: "One word back", pressed: by(-1), disabled: written === 0, width: 34 },
    { sign: "›", name: "One word on", pressed: by(1), disabled: written >= longest, width: 34 },
    {
      sign: "write again",
      name: "Write the texts again, word by word",
      pressed: begin,
      disabled: longest === 0,
      width: 92,
    },
  ];
  let x = left;
  for (const { sign, name, pressed, disabled, width } of buttons) {
    const look = { size: width < 40 ? 18 : 14, bold: true, fill: disabled ? colour.quiet : colour.ink };
    const draw = (/** @type {Pen} */ its) => {
      its.node("title", {}, name);
      its.rect(x, y, width, 26, { r: 8, fill: colour.background, stroke: colour.line });
      its.text(x + width / 2, y + 18, sign, { anchor: "middle", ...look });
    };
    pen.button(name, pressed, draw, { key: name, disabled });
    x += width + 6;
  }
  const place = written < longest ? `word ${written} of ${longest}` : "";
  pen.text(x + 4, y + 18, place, { size: 13, fill: colour.quiet });
}

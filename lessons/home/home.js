// Home: a prompt, its possible next words side by side on a line of length 1, and a needle that chooses one.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */

/** @param {Component<Scripts["home"]>} component */
export default function home(component) {
  return mainPicture(component, draw);
}

const EDGE = 24;

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function draw(pen, scene) {
  const { width, height, data, values, text, narrow, colour } = scene;
  const chosen = values("@word");
  scene.tell(Math.min(chosen, data.shown));
  const edge = narrow ? 12 : EDGE;
  const [left, length] = [edge, width - 2 * edge];
  const line = {
    left,
    length,
    top: Math.round(height * (narrow ? 0.45 : 0.39)),
    high: Math.round(Math.min(170, height * 0.33)),
  };
  sentence(pen, scene, edge, chosen, line.top);
  pen.text(
    left,
    line.top - 14,
    narrow ? "next word: a line of length 1" : "what may come next: each word has a part of a line of length 1",
    { size: 15, fill: colour.quiet },
  );
  parts(pen, scene, line, chosen);
  needle(pen, scene, line);
  const at = line.top + line.high;
  const others = data.words.length - data.shown;
  pen.text(left + length, Math.min(height - 12, at + 66), `${others} more words share ${text("rest")}`, {
    size: 14,
    fill: colour.quiet,
    anchor: "end",
  });
}

// The prompt, the chosen word on the mark, and what the model writes after it.
function sentence(pen, { width, data, narrow, colour }, edge, chosen, room) {
  const size = narrow ? 20 : Math.min(34, width / 30);
  const [word, sequel] = [data.words[chosen], data.sequels[chosen]];
  const step = narrow ? 34 : 0;
  let [x, y] = [edge, narrow ? 30 : Math.min(Math.max(48, room * 0.36), 66)];
  pen.text(x, y, data.prompt, { size, bold: true, room: width - 2 * edge });
  if (narrow) y += step;
  else x += textWidth(data.prompt, size, true) + size * 0.65;
  const shown = cutText(word, width - x - edge - 24, size, true);
  const wide = textWidth(shown, size, true);
  pen.mark(x - 9, y - size * 1.08, wide + 18, size * 1.5, { r: 8 });
  pen.text(x, y, shown, { size, bold: true, fill: colour.onMark });
  if (narrow) y += step;
  else x += wide + size * 0.65;
  if (narrow) x = edge;
  pen.text(x, y, sequel, { size, fill: colour.quiet, room: width - x - edge });
}

function parts(pen, { data, values, text, narrow, colour }, { left, length, top, high }, chosen) {
  let start = 0;
  for (let i = 0; i <= data.shown; i++) {
    const rest = i === data.shown;
    const share = values(rest ? "rest" : `p${i}`);
    const [x, wide] = [left + start * length, share * length];
    start += share;
    if (wide < 0.2) continue;
    const on = rest ? chosen >= i : chosen === i;
    const gap = Math.min(2, wide / 4);
    pen.rect(x, top, wide - gap, high, {
      key: `part ${i}`,
      r: Math.min(6, wide / 3),
      fill: colour.activation,
      "fill-opacity": on ? 1 : rest ? 0.1 : 0.2,
    });
    const label = rest ? "other words" : data.words[i];
    const fill = on ? colour.background : colour.activation;
    const middle = x + (wide - gap) / 2;
    const size = (narrow ? [15, 13] : [20, 17, 14]).find((each) => textWidth(label, each, true) + 10 <= wide);
    if (!size) {
      // A part that is too narrow for its word has it upright.
      const base = top + high / 2 + textWidth(label, 14, true) / 2;
      if (wide >= 18)
        pen.text(0, 0, label, {
          key: `word ${i}`,
          size: 14,
          bold: true,
          fill,
          transform: `translate(${middle + 5} ${base}) rotate(-90)`,
        });
      continue;
    }
    pen.text(middle, top + high * 0.45, label, { key: `word ${i}`, size, bold: true, anchor: "middle", fill });
    if (wide > 56)
      pen.text(middle, top + high * 0.45 + 24, text(rest ? "rest" : `p${i}`), {
        key: `p ${i}`,
        size: 15,
        anchor: "middle",
        fill,
      });
  }
}

// The needle hangs over the line; its handle below is what a hand takes.
function needle(pen, { width, values, text, narrow, colour }, { left, length, top, high }) {
  const u = values("u");
  const x = left + u * length;
  const below = top + high;
  pen.group(
    { key: "needle", class: "handle", "data-n": "u", "data-per": length, "data-way": "x", style: "cursor: ew-resize" },
    (its) => {
      its.rect(x - 30, top - 8, 60, high + 56, { fill: "transparent" });
      its.line(x, top - 8, x, top + 12, { width: 3 });
      its.line(x, top + 12, x, below - 12, { width: 1 });
      its.line(x, below - 12, x, below + 10, { width: 3 });
      its.path(`M${x} ${top + 2}l-10 -15h20z`, { fill: colour.ink, stroke: "none" });
      its.rect(x - 26, below + 8, 52, 36, { r: 18, fill: colour.ink });
      its.path(`M${x - 8} ${below + 21}l-6 5l6 5M${x + 8} ${below + 21}l6 5l-6 5`, {
        stroke: colour.background,
        width: 2,
      });
    },
  );
  const right = x + 36 < width - (narrow ? 110 : 260);
  const label = narrow ? `u = ${text("u")}` : `drag the needle: u = ${text("u")}`;
  pen.text(right ? x + 38 : x - 38, below + 32, label, {
    key: "u",
    size: 15,
    bold: true,
    anchor: right ? "start" : "end",
    halo: true,
  });
}

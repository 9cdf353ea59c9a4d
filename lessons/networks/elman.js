// A recurrent unit: folded it is one unit with an edge back to itself; pressed, it unrolls into one copy for
// each step, all with the same two weights.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { Pen } from "../../ui/browser/pen.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["elman"]} Data */

const WIDTH = 960;
const HEIGHT = 300;
const R = 34;

/** @param {Component<Data>} component */
export default function elman({ data, parentElement }) {
  /** @type {[Picture<Data, any>, boolean]} */
  const [picture, fresh] = stage(parentElement, "elman");
  const colour = colours(parentElement);
  if (fresh) {
    picture.svg = drawSvg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", role: "group" },
      html("div", {}, picture.element),
    );
    picture.pen = new Pen(picture.svg, colour);
    picture.open = true;
    saveButtons(picture.element, () => ["elman", [[picture.svg]]]);
  }
  picture.pen.colour = colour;
  picture.svg.setAttribute("aria-label", data.alt);
  let values = null;
  const draw = (now) => {
    values = now ?? values;
    picture.pen.draw((pen) => network(pen, picture, data, values, colour, () => draw(null)));
  };
  return follow(picture.element, data, draw);
}

function network(pen, picture, data, values, colour, again) {
  const steps = picture.open ? data.steps : 1;
  const gap = Math.min(WIDTH / (steps + 1), 200);
  const first = (WIDTH - gap * (steps - 1)) / 2;
  const [top, foot] = [96, 236];
  for (let t = 0; t < steps; t++) {
    const x = first + t * gap;
    if (picture.open && t) edge(pen, [x - gap + R, top], [x - R - 4, top], `wₕ ${formatNumber(values("wh"))}`, colour);
    edge(pen, [x, foot - R], [x, top + R + 4], `wₓ ${formatNumber(values("wx"))}`, colour);
    node(
      pen,
      x,
      foot,
      picture.open ? `x${"₁₂₃₄₅₆₇₈"[t]}` : "xₜ",
      picture.open ? formatNumber(values(`x${t + 1}`)) : "",
      colour.input,
      colour,
    );
    pen.button(
      picture.open ? "Fold the network" : "Unroll the network",
      () => ((picture.open = !picture.open), again()),
      (its) => {
        node(
          its,
          x,
          top,
          picture.open ? `h${"₁₂₃₄₅₆₇₈"[t]}` : "hₜ",
          picture.open ? formatNumber(values(`h${t + 1}`)) : "",
          colour.activation,
          colour,
        );
      },
      { key: `unit ${t} ${picture.open}`, chosen: picture.open },
    );
  }
  if (!picture.open) {
    const x = first;
    pen.path(`M${x + R - 4} ${top - 18}C${x + 130} ${top - 90} ${x + 130} ${top + 90} ${x + R + 2} ${top + 16}`, {
      stroke: colour.weight,
      width: 3,
    });
    pen.head(x + R, top + 14, 205, colour.weight, 11);
    pen.text(x + 112, top + 5, `wₕ ${formatNumber(values("wh"))}: from the step before`, {
      size: 16,
      bold: true,
      fill: colour.weight,
    });
  }
  pen.text(
    WIDTH / 2,
    HEIGHT - 8,
    picture.open
      ? "Unrolled: the same two weights at every step. Press a unit to fold it."
      : "Folded: the unit reads its own output. Press it to unroll it.",
    { size: 16, anchor: "middle", fill: colour.quiet },
  );
}

function edge(pen, [x1, y1], [x2, y2], label, colour) {
  pen.line(x1, y1, x2, y2, { stroke: colour.weight, width: 3 });
  pen.head(x2, y2, (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI, colour.weight, 10);
  const flat = y1 === y2;
  pen.text(flat ? (x1 + x2) / 2 : x1 + 8, flat ? y1 - 8 : (y1 + y2) / 2 + 5, label, {
    size: 15,
    bold: true,
    fill: colour.weight,
    anchor: flat ? "middle" : "start",
    halo: true,
  });
}

function node(pen, x, y, name, number, role, colour) {
  pen.circle(x, y, R, { fill: colour.background, stroke: role, line: 3 });
  pen.text(x, number ? y - 5 : y + 6, name, { size: 17, bold: true, anchor: "middle", fill: role });
  if (number) pen.text(x, y + 17, number, { size: 15, bold: true, anchor: "middle" });
}

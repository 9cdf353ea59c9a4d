// The four ways in which a head reads a network: one text, two texts, each word, the two ends of an answer.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { Pen } from "../../ui/browser/pen.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["setups"]} Data */

const NARROW = 600;
const WIDE = 300;
const HIGH = 190;
const EDGE = 16;

/** @param {Component<Data>} component */
export default function setups({ data, parentElement, setTriggerValue }) {
  /** @type {[Picture<Data, any>, boolean]} */
  const [picture, fresh] = stage(parentElement, "setups");
  const colour = colours(parentElement);
  const narrow = picture.element.clientWidth < NARROW; // on a phone the open one alone
  const shown = narrow ? data.setups.filter(({ tasks }) => tasks.includes(data.task)) : data.setups;
  if (fresh) {
    picture.svg = drawSvg("svg", { width: "100%", role: "group" }, html("div", {}, picture.element));
    picture.pen = new Pen(picture.svg, colour);
    saveButtons(picture.element, () => ["four-heads", [[picture.svg]]]);
  }
  picture.pen.colour = colour;
  picture.svg.setAttribute("aria-label", data.alt);
  picture.svg.setAttribute("viewBox", `0 0 ${shown.length * WIDE} ${HIGH}`);
  return follow(picture.element, data, () =>
    picture.pen.draw((pen) =>
      shown.forEach((its, n) =>
        pen.group({ key: `setup ${n}`, transform: `translate(${n * WIDE} 0)` }, (inner) =>
          panel(inner, its, its.tasks.includes(data.task), colour, () =>
            setTriggerValue("event", { task: its.tasks[0] }),
          ),
        ),
      ),
    ),
  );
}

function panel(pen, its, chosen, colour, press) {
  pen.button(
    `${its.title}: ${its.reads}`,
    press,
    (inner) => {
      inner.rect(4, 4, WIDE - 8, HIGH - 8, {
        r: 10,
        fill: chosen ? colour.line : "transparent",
        opacity: chosen ? 0.45 : 1,
      });
      inner.rect(4, 4, WIDE - 8, HIGH - 8, {
        r: 10,
        stroke: chosen ? colour.ink : colour.line,
        line: chosen ? 2.5 : 1.5,
      });
      inner.text(EDGE, 28, its.title, { size: 17, bold: true });
      network(inner, its, colour);
    },
    { chosen },
  );
}

// The tokens as squares, the network above them, and lines from the vectors that are read to the head.
function network(pen, its, colour) {
  const count = its.kinds.length;
  const step = (WIDE - 2 * EDGE) / count;
  const side = Math.min(step - 2, 16);
  const x = (i) => EDGE + step * (i + 0.5);
  const [head, top, bottom] = [56, 88, 132];
  its.kinds.forEach((kind, i) => {
    const tint = [colour.mask, colour["series-1"], colour["series-2"]][kind];
    pen.rect(x(i) - side / 2, bottom + 6, side, side, {
      key: `token ${i}`,
      r: 3,
      fill: tint,
      opacity: kind ? 0.9 : 0.5,
    });
  });
  pen.rect(EDGE, top, WIDE - 2 * EDGE, bottom - top, { key: "network", r: 6, fill: colour.weight, opacity: 0.18 });
  pen.text(WIDE / 2, (top + bottom) / 2 + 6, "network", { size: 15, anchor: "middle" });
  const one = its.read.length === 1;
  for (const i of its.read) {
    pen.line(x(i), top, x(i), head + 8, { key: `line ${i}`, stroke: colour.score, width: 2 });
    pen.circle(x(i), head + 4, one ? 8 : Math.min(step / 2 - 1, 6), { key: `head ${i}`, fill: colour.score });
  }
  const right = x(its.read[0]) > WIDE / 2;
  if (one)
    pen.text(x(its.read[0]) + (right ? -14 : 14), head + 10, its.answers, {
      size: 14,
      fill: colour.score,
      bold: true,
      anchor: right ? "end" : "start",
      room: WIDE - 2 * EDGE - 30,
    });
  else pen.text(WIDE - EDGE, 28, its.answers, { size: 14, fill: colour.score, bold: true, anchor: "end", room: 110 });
  pen.text(EDGE, HIGH - 14, its.reads, { key: "reads", size: 13, fill: colour.quiet, room: WIDE - 2 * EDGE });
}

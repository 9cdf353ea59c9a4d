// The four ways in which a head reads a network: one text, two texts, each word, the two ends of an answer.

import { drawSvg, html } from "../../drawing/dom.js";
import { follow } from "../../drawing/frames.js";
import { Pen } from "../../drawing/pen.js";
import { saveButtons } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { colours } from "../../drawing/theme.js";

/** @import { Component, Picture, Scripts, SetupData } from "../../drawing/types.js" */
/** @typedef {Scripts["setups"]} Data */

const NARROW = 600;
const WIDE = 300;
const HIGH = 190;
const EDGE = 16;

/** @param {Component<Data>} component */
export default function setups({ data, parentElement, setTriggerValue }) {
  /** @type {[Picture<Data, { svg: SVGSVGElement, pen: Pen }>, boolean]} */
  const [picture, fresh] = stage(parentElement, "setups");
  const colour = colours(parentElement);
  const narrow = picture.element.clientWidth < NARROW; // on a phone, only the open one is drawn
  const shown = narrow ? data.setups.filter(({ tasks }) => tasks.includes(data.task)) : data.setups;
  if (fresh) {
    picture.svg = drawSvg("svg", { width: "100%", role: "group" }, html("div", {}, picture.element));
    picture.pen = new Pen(picture.svg, colour);
    saveButtons(picture.element, () => ["four-heads", [[picture.svg]]]);
  }
  picture.pen.colour = colour;
  picture.svg.setAttribute("aria-label", data.alt);
  picture.svg.setAttribute("viewBox", `0 0 ${shown.length * WIDE} ${HIGH}`);
  /** @type {(pen: Pen, setup: SetupData) => void} */
  const draw = (pen, setup) => {
    const press = () => setTriggerValue("event", { task: setup.tasks[0] });
    drawSetup(pen, setup, setup.tasks.includes(data.task), press);
  };
  return follow(picture.element, data, () =>
    picture.pen.draw((pen) =>
      shown.forEach((setup, n) => {
        pen.group({ key: `setup ${n}`, transform: `translate(${n * WIDE} 0)` }, (its) => draw(its, setup));
      }),
    ),
  );
}

/** @param {Pen} pen @param {SetupData} setup @param {boolean} chosen @param {() => void} press */
function drawSetup(pen, setup, chosen, press) {
  const { line, ink } = pen.colour;
  /** @param {Pen} its */
  const draw = (its) => {
    const fill = chosen ? { fill: line, opacity: 0.45 } : { fill: "transparent", opacity: 1 };
    its.rect(4, 4, WIDE - 8, HIGH - 8, { r: 10, ...fill });
    const frame = chosen ? { stroke: ink, line: 2.5 } : { stroke: line, line: 1.5 };
    its.rect(4, 4, WIDE - 8, HIGH - 8, { r: 10, ...frame });
    its.text(EDGE, 28, setup.title, { size: 17, bold: true });
    drawNetwork(its, setup);
  };
  pen.button(`${setup.title}: ${setup.reads}`, press, draw, { chosen });
}

/**
 * The tokens as squares, the network above them, and lines from the vectors that are read to the head.
 *
 * @param {Pen} pen @param {SetupData} setup
 */
function drawNetwork(pen, { kinds, read, answers, reads }) {
  const { colour } = pen;
  const step = (WIDE - 2 * EDGE) / kinds.length;
  const side = Math.min(step - 2, 16);
  /** @param {number} i */
  const x = (i) => EDGE + step * (i + 0.5);
  const [head, top, bottom] = [56, 88, 132];
  kinds.forEach((kind, i) => {
    const fill = [colour.mask, colour["series-1"], colour["series-2"]][kind];
    const look = { key: `token ${i}`, r: 3, fill, opacity: kind ? 0.9 : 0.5 };
    pen.rect(x(i) - side / 2, bottom + 6, side, side, look);
  });
  pen.rect(EDGE, top, WIDE - 2 * EDGE, bottom - top, { key: "network", r: 6, fill: colour.weight, opacity: 0.18 });
  pen.text(WIDE / 2, (top + bottom) / 2 + 6, "network", { size: 15, anchor: "middle" });
  const one = read.length === 1;
  for (const i of read) {
    pen.line(x(i), top, x(i), head + 8, { key: `line ${i}`, stroke: colour.score, width: 2 });
    pen.circle(x(i), head + 4, one ? 8 : Math.min(step / 2 - 1, 6), { key: `head ${i}`, fill: colour.score });
  }
  const right = x(read[0]) > WIDE / 2;
  const look = { size: 14, fill: colour.score, bold: true };
  const room = WIDE - 2 * EDGE - 30;
  if (!one) pen.text(WIDE - EDGE, 28, answers, { ...look, anchor: "end", room: 110 });
  else if (right) pen.text(x(read[0]) - 14, head + 10, answers, { ...look, anchor: "end", room });
  else pen.text(x(read[0]) + 14, head + 10, answers, { ...look, anchor: "start", room });
  pen.text(EDGE, HIGH - 14, reads, { key: "reads", size: 13, fill: colour.quiet, room: WIDE - 2 * EDGE });
}

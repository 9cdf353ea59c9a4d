// The parts of a network against its uses: what is kept, left out, added, and what learns.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { Pen } from "../../ui/browser/pen.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["roles"]} Data */

const NARROW = 600;
const ROW = 46;
const GAP = 6;

/** @param {Component<Data>} component */
export default function roles({ data, parentElement, setTriggerValue }) {
  /** @type {[Picture<Data, any>, boolean]} */
  const [picture, fresh] = stage(parentElement, "roles");
  const colour = colours(parentElement);
  const narrow = picture.element.clientWidth < NARROW;
  const room = narrow
    ? { left: 4, column: 58, names: 0, top: 118, step: ROW + 22, width: 360 }
    : { left: 330, column: 130, names: 330, top: 44, step: ROW, width: 330 + 6 * 130 };
  const height = room.top + data.parts.length * room.step + 8;
  if (fresh) {
    picture.svg = drawSvg("svg", { width: "100%", role: "group" }, html("div", {}, picture.element));
    picture.told = html("p", { class: "readout", "aria-live": "polite" }, picture.element);
    picture.pen = new Pen(picture.svg, colour);
    saveButtons(picture.element, () => ["layer-roles", [[picture.svg]]]);
  }
  // A part that was pressed stays open while the use is the same and the network has it.
  const { part = null, use } = picture.chosen ?? {};
  picture.chosen = { use: data.use, part: use === data.use && part < data.parts.length ? part : null };
  picture.pen.colour = colour;
  picture.svg.setAttribute("aria-label", data.alt);
  picture.svg.setAttribute("viewBox", `0 0 ${room.width} ${height}`);
  const draw = () => {
    const { use, part } = picture.chosen;
    picture.told.textContent =
      part === null ? `${data.uses[use]}. ${data.says[use]}` : `${data.parts[part]}. ${data.says_parts[part]}`;
    picture.pen.draw((pen) => {
      data.uses.forEach((name, n) => column(pen, data, name, n, room, height, narrow, use, choose));
      data.parts.forEach((name, row) => line(pen, data, name, row, room, narrow, part, choose, colour));
    });
  };
  const choose = (chosen) => {
    Object.assign(picture.chosen, chosen);
    draw();
    if (chosen.use !== undefined) setTriggerValue("event", data.uses[chosen.use]);
  };
  return follow(picture.element, data, draw);
}

function column(pen, data, name, n, room, height, narrow, use, choose) {
  const x = room.left + n * room.column;
  pen.button(
    name,
    () => choose({ use: n, part: null }),
    (its) => {
      if (n === use) its.rect(x, 2, room.column - 2, height - 4, { r: 8, stroke: pen.colour.ink, line: 2 });
      else its.rect(x, 2, room.column - 2, height - 4, { r: 8, fill: "transparent" });
      if (narrow)
        its.text(x + room.column / 2 + 4, room.top - 8, name, {
          size: 14,
          bold: n === use,
          transform: `rotate(-90 ${x + room.column / 2 + 4} ${room.top - 8})`,
        });
      else its.text(x + room.column / 2, 28, name, { size: 16, bold: n === use, anchor: "middle" });
    },
    { key: `use ${n}`, chosen: n === use },
  );
}

function line(pen, data, name, row, room, narrow, part, choose, colour) {
  const y = room.top + row * room.step;
  const weights = data.weights[row] ? `${data.weights[row].toLocaleString("en")}` : "E again";
  pen.button(
    name,
    () => choose({ part: row }),
    (its) => {
      const wide = narrow ? room.width - 8 : room.names - 12;
      its.rect(2, y, wide, narrow ? 20 : ROW - GAP, { r: 6, fill: row === part ? colour.line : "transparent" });
      its.text(10, narrow ? y + 15 : y + 25, name, { size: narrow ? 13 : 15, bold: true, room: narrow ? 270 : 230 });
      its.text(wide - 6, narrow ? y + 15 : y + 25, weights, {
        size: narrow ? 13 : 14,
        anchor: "end",
        fill: colour.quiet,
      });
    },
    { key: `part ${row}`, chosen: row === part },
  );
  data.uses.forEach((_, n) =>
    cell(
      pen,
      data.cells[row * data.uses.length + n],
      room.left + n * room.column + 5,
      narrow ? y + 22 : y,
      room.column - 12,
      n,
      row,
      narrow,
      colour,
    ),
  );
}

function cell(pen, role, x, y, wide, n, row, narrow, colour) {
  const high = ROW - GAP - (narrow ? 4 : 0);
  const how = { key: `cell ${row} ${n}`, r: 6, "pointer-events": "none" };
  const tint = { kept: colour.mask, learns: colour.weight, added: colour.score, "left out": colour.mask }[role];
  if (!role) return;
  if (role === "left out") {
    pen.rect(x, y, wide, high, { ...how, stroke: tint, line: 1.5, dash: "3 4" });
    pen.line(x + 4, y + high - 4, x + wide - 4, y + 4, {
      key: `struck ${row} ${n}`,
      stroke: tint,
      width: 1.5,
      "pointer-events": "none",
    });
  } else {
    pen.rect(x, y, wide, high, { ...how, fill: tint, opacity: role === "kept" ? 0.16 : 0.3 });
    if (role !== "kept") pen.rect(x, y, wide, high, { ...how, key: `edge ${row} ${n}`, stroke: tint, line: 2.5 });
  }
  const name = role === "added" && !narrow ? "added, learns" : role;
  pen.text(x + wide / 2, y + high / 2 + 5, name, {
    key: `role ${row} ${n}`,
    size: narrow ? 12 : 15,
    bold: role !== "kept",
    anchor: "middle",
    fill: role === "kept" || role === "left out" ? colour.quiet : colour.ink,
    halo: role === "left out",
    "pointer-events": "none",
    room: wide,
  });
}

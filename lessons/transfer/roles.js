// The parts of a network against its uses: which parts are kept, left out, added and trained, and how many weights learn.

import { mainPicture } from "../../drawing/main_picture.js";
import { whole } from "./network_parts.js";
import { placesOf } from "./roles_places.js";

/** @import { Component, NameOf, RolePartData, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { RolesPlaces, RolesScene } from "./roles_places.js" */
/** @typedef {(pen: Pen, scene: RolesScene, at: RolesPlaces) => void} Draw */

const EDGE = 20;
const SCALE = 30; // the room of a number above its bar

/** @param {Component<Scripts["roles"]>} component */
export default function roles(component) {
  return mainPicture(component, (pen, /** @type {RolesScene} */ scene) => {
    const at = placesOf(scene);
    scene.data.uses.forEach((_, use) => drawUse(pen, scene, at, use));
    pen.part(scene, "parts", (its) =>
      scene.data.parts.forEach((part, k) => {
        drawName(its, scene, at, part, k);
        part.roles.forEach((role, use) => drawRole(its, scene, at, role, k, use));
      }),
    );
    pen.part(scene, "learn", (its) => drawLearning(its, scene, at));
  });
}

/** @param {RolesScene} scene */
const chosenOf = ({ final }) => Math.round(final("use"));

/** @param {number} use @returns {NameOf<"roles">} */
const learnOf = (use) => `learn ${use}`;

/** @param {RolesScene} scene @param {number} use */
const countOf = ({ hidden, values }, use) => (hidden(learnOf(use)) ? "?" : whole(values(learnOf(use))));

/**
 * A use as a column with its name; a press chooses it.
 *
 * @param {Pen} pen @param {RolesScene} scene @param {RolesPlaces} at @param {number} use
 */
function drawUse(pen, scene, at, use) {
  const name = scene.data.uses[use];
  const chosen = use === chosenOf(scene);
  /** @param {Pen} its */
  const draw = (its) => {
    const look = chosen ? { stroke: its.colour.ink, line: 2.5 } : { fill: "transparent" };
    its.rect(at.x(use) + 1, 2, at.column - 2, at.foot - 2, { r: 8, ...look });
    const [middle, foot] = [at.x(use) + at.column / 2, at.top - 12];
    if (at.narrow) {
      const turn = `rotate(-90 ${middle + 5} ${foot + 4})`;
      return its.text(middle + 5, foot + 4, name, { size: 14, bold: chosen, transform: turn });
    }
    return its.text(middle, foot, name, { size: 17, bold: chosen, anchor: "middle", room: at.column - 6 });
  };
  pen.button(name, () => scene.send(name), draw, { key: `use ${use}`, chosen });
}

/**
 * The name of a part, what it is for, and how many weights it has.
 *
 * @param {Pen} pen @param {RolesScene} scene @param {RolesPlaces} at @param {RolePartData} part @param {number} k
 */
function drawName(pen, { colour, hidden }, at, { name, short, says, weights }, k) {
  const middle = at.y(k) + at.row / 2;
  if (at.narrow) return void pen.text(6, middle + 3, short, { key: `name ${k}`, size: 13, bold: true });
  const number = hidden("learn 0") ? "" : weights; // the head’s own is the answer
  pen.text(EDGE, middle - 3, name, { key: `name ${k}`, size: 18, bold: true, room: at.left - 96 });
  pen.text(at.left - 12, middle - 3, number, { key: `weights ${k}`, size: 16, anchor: "end", fill: colour.quiet });
  pen.text(EDGE, middle + 16, says, { key: `says ${k}`, size: 16, fill: colour.quiet });
}

/**
 * What a use does to a part.
 *
 * @param {Pen} pen
 * @param {RolesScene} scene
 * @param {RolesPlaces} at
 * @param {string} role
 * @param {number} k
 * @param {number} use
 */
function drawRole(pen, scene, at, role, k, use) {
  if (!role) return;
  const { mask, weight, quiet, ink } = scene.colour;
  const chosen = use === chosenOf(scene);
  const learns = role === "learns" || role === "added";
  const [left, wide] = [at.x(use) + (at.narrow ? 4 : 7), at.column - (at.narrow ? 8 : 14)];
  const [top, high] = [at.y(k) + 3, at.row - 6];
  const box = { key: `cell ${k} ${use}`, r: 5, "pointer-events": "none" };
  if (role === "left out") {
    pen.rect(left, top, wide, high, { ...box, stroke: quiet, line: 1.5, dash: "3 4" });
    const struck = { key: `struck ${k} ${use}`, stroke: quiet, width: 1.5, "pointer-events": "none" };
    pen.line(left + 4, top + high - 4, left + wide - 4, top + 4, struck);
  } else {
    const edge = learns ? { stroke: weight, line: 2.5 } : {};
    const fill = learns ? weight : mask;
    pen.rect(left, top, wide, high, { ...box, fill, "fill-opacity": learns ? 0.34 : 0.18, ...edge });
  }
  if (at.narrow) return;
  pen.text(left + wide / 2, top + high / 2 + 6, role, {
    key: `role ${k} ${use}`,
    size: 17,
    bold: chosen,
    anchor: "middle",
    fill: chosen ? ink : quiet,
    halo: role === "left out",
    "pointer-events": "none",
  });
}

/**
 * The number of weights that learn in each use, as a bar: on a phone, only that of the chosen one is written.
 *
 * @type {Draw}
 */
function drawLearning(pen, scene, at) {
  const { data, colour, values, hidden, narrow } = scene;
  const { bars } = at;
  const most = Math.max(...data.uses.map((_, use) => values(learnOf(use))));
  const high = bars.foot - bars.top - (narrow ? 2 : SCALE);
  data.uses.forEach((_, use) => {
    const asked = hidden(learnOf(use));
    const long = asked ? 0 : (values(learnOf(use)) / most) * high;
    const [left, wide] = [at.x(use) + at.column * 0.2, at.column * 0.6];
    pen.rect(left, bars.foot - long, wide, long, { key: `bar ${use}`, r: 2, fill: colour.weight });
    if (narrow) return;
    const look = {
      size: 19,
      bold: use === chosenOf(scene),
      fill: colour.weight,
      anchor: /** @type {const} */ ("middle"),
    };
    pen.text(at.x(use) + at.column / 2, bars.foot - long - 8, countOf(scene, use), { key: `learn ${use}`, ...look });
  });
  pen.line(at.left, bars.foot, at.x(data.uses.length), bars.foot, { key: "ground", stroke: colour.quiet });
  const title = { key: "learn title", fill: colour.weight, bold: true, size: narrow ? 13 : 20 };
  pen.text(narrow ? 6 : EDGE, bars.foot - (narrow ? 30 : 34), narrow ? "learn:" : "weights that learn", title);
  if (narrow) {
    pen.text(6, bars.foot - 10, countOf(scene, chosenOf(scene)), {
      key: "learn",
      size: 17,
      bold: true,
      fill: colour.weight,
    });
  }
}

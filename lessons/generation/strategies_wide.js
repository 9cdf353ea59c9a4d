// The strategies on a wide stage: the first choice at the left, the lanes at the right, the cards below.

import { drawFirstChoice } from "./first_choice.js";
import { drawCard } from "./strategy_card.js";
import { drawLane } from "./strategy_lane.js";
import { chosenRow } from "./strategies_scene.js";
import { placesOf, rowAt } from "./strategies_wide_places.js";
import { drawWordButtons } from "./word_buttons.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, Shown, StrategiesScene } from "./strategies_scene.js" */
/** @import { Places } from "./strategies_wide_places.js" */

const GAP = 8; // between two cards

/** @type {Draw} */
export function drawWide(pen, scene, shown) {
  const at = placesOf(scene, shown);
  pen.part(scene, "first", (its) => {
    drawRibbons(its, scene, shown, at);
    drawFirstChoice(its, scene, shown, at);
  });
  pen.part(scene, "steps", (its) => drawWordButtons(its, scene, shown, at.left, at.foot - 26));
  shown.lanes.forEach((each, i) => {
    const box = { x: at.lanes, y: at.top + i * at.lane, width: at.right - at.lanes, height: at.lane - 8 };
    pen.part(scene, each.name, (its) => drawLane(its, scene, shown, each, box));
  });
  pen.part(scene, "cards", (its) => {
    const width = (at.right - at.left - GAP * (shown.cards.length - 1)) / shown.cards.length;
    shown.cards.forEach((each, i) => {
      const box = { x: at.left + i * (width + GAP), y: at.cards, width, height: at.card };
      drawCard(its, scene, shown, each, box);
    });
  });
}

/**
 * Ribbons from the bar of each lane's first token into the lane; if the token has no bar, from the bar of all others.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {Shown} shown @param {Places} at
 */
function drawRibbons(pen, scene, shown, at) {
  const { colour } = scene;
  shown.lanes.forEach((each, i) => {
    const row = chosenRow(scene, shown, each);
    if (row === null) return;
    const from = rowAt(at, row < 0 ? at.rows - 1 : row);
    const to = at.top + (i + 0.5) * at.lane - 4;
    const d = `M${at.choice} ${from}C${at.choice + 34} ${from} ${at.lanes - 34} ${to} ${at.lanes} ${to}`;
    const opacity = each === shown.focus ? 0.45 : 0.22;
    pen.path(d, { key: `ribbon${i}`, stroke: colour.activation, width: 11, "stroke-opacity": opacity });
    pen.beads(d, colour.activation, { key: `beads${i}` });
  });
}

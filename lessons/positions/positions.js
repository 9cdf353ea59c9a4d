// Positions as waves: a cut through the waves is the vector of a position. Beside the waves, one word in two orders,
// and its attention output without and with positions.

import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { narrowPlaces, widePlaces } from "./positions_layout.js";
import { drawCuts, drawVectors } from "./position_cuts.js";
import { drawClocks, drawDots } from "./position_dots.js";
import { drawOrders } from "./two_orders.js";
import { drawOutput } from "./two_outputs.js";
import { drawWaves } from "./waves.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { OrderScene } from "./position_sides.js" */

/** @param {Component<Scripts["positions"]>} component */
export default function positions(component) {
  return mainPicture(component, (pen, /** @type {OrderScene} */ scene) => {
    const { width, height, data, values, narrow, colour } = scene;
    const places = (narrow ? narrowPlaces : widePlaces)(width, height, values("@rows"));
    const across = scaleLinear([0, data.places - 1], [places.waves.left + 8, places.waves.right - 8]);
    const at = { ...places, across, first: colour.ink, second: colour["series-4"] };
    pen.part(scene, "waves", (its) => drawWaves(its, scene, at));
    if (!narrow) pen.part(scene, "clocks", (its) => drawClocks(its, scene, at));
    const { score } = at;
    if (score) pen.part(scene, "dot", (its) => drawDots(its, scene, at, score));
    pen.part(scene, "vectors", (its) => drawVectors(its, scene, at));
    pen.part(scene, "cuts", (its) => drawCuts(its, scene, at));
    pen.part(scene, "orders", (its) => drawOrders(its, scene, at));
    pen.part(scene, "plain", (its) => drawOutput(its, scene, at, "plain"));
    pen.part(scene, "placed", (its) => drawOutput(its, scene, at, "gap"));
  });
}

// Texts out of a model: one card per strategy (generation_cards.js), or one choice after the other
// (generation_steps.js).

import { strategyCards } from "./generation_cards.js";
import { oneAtATime } from "./generation_steps.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["generation"]} Data */

/** @param {Component<Data>} component */
export default function generation(component) {
  const { data } = component;
  return "steps" in data ? oneAtATime({ ...component, data }) : strategyCards({ ...component, data });
}

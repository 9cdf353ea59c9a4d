// Texts out of a model: a card a strategy (generation_cards.js), or one choice after the other
// (generation_steps.js).

import { strategyCards } from "./generation_cards.js";
import { oneAtATime } from "./generation_steps.js";

export default function generation(component) {
  return component.data.steps ? oneAtATime(component) : strategyCards(component);
}

// What a page loads: every component by its name, behind one promise that the stubs of
// ui/components.py await.

import attention from "../../lessons/attention/attention.js";
import graph from "../../lessons/backprop/graph.js";
import cloze from "../../lessons/bert/cloze.js";
import drift from "../../lessons/feedforward/drift.js";
import pipeline from "../../lessons/feedforward/pipeline.js";
import beam from "../../lessons/generation/beam.js";
import generation from "../../lessons/generation/generation.js";
import slidetree from "../../lessons/generation/slidetree.js";
import heads from "../../lessons/heads/heads.js";
import opened from "../../lessons/heads/opened.js";
import qk from "../../lessons/heads/qk.js";
import ranking from "../../lessons/heads/ranking.js";
import gates from "../../lessons/lstm/gates.js";
import letters from "../../lessons/lstm/letters.js";
import vanish from "../../lessons/lstm/vanish.js";
import corruption from "../../lessons/masking/corruption.js";
import leak from "../../lessons/masking/leak.js";
import masking from "../../lessons/masking/masking.js";
import neuron from "../../lessons/neuron/neuron.js";
import positions from "../../lessons/positions/positions.js";
import unrolled from "../../lessons/rnn/unrolled.js";
import chips from "../../lessons/shared/chips.js";
import losses from "../../lessons/shared/losses.js";
import inputs from "../../lessons/tokens/inputs.js";
import longest from "../../lessons/tokens/longest.js";
import tokens from "../../lessons/tokens/tokens.js";
import beats from "./beats.js";
import cells from "./cells.js";
import runs from "./runs.js";
import save from "./save.js";
import sliders from "./sliders.js";
import steps from "./steps.js";
import table from "./table.js";
import { unpack } from "./packing.js";
import { dress, followTheme } from "./theme.js";

/** @import { Component, Scripts, Stop } from "./types.js" */

/** @type {{ [Name in keyof Scripts]: (component: Component<Scripts[Name]>) => Stop | void }} */
const components = {
  sliders,
  steps,
  table,
  save,
  beats,
  runs,
  cells,
  neuron,
  graph,
  gates,
  vanish,
  letters,
  pipeline,
  drift,
  unrolled,
  positions,
  attention,
  heads,
  opened,
  qk,
  ranking,
  masking,
  leak,
  corruption,
  losses,
  chips,
  tokens,
  longest,
  inputs,
  cloze,
  generation,
  slidetree,
  beam,
};

// Streamlit gives each component a module of its own: this promise is where they meet, and the one
// global of ours.
export default function load(component) {
  globalThis.lmlLibrary ??= Promise.withResolvers();
  globalThis.lmlLibrary.resolve({ draw });
  followTheme(component);
}

// Draw the component `name` from the data that ui.live.pack wrote.
function draw(name, component) {
  dress(component.parentElement);
  return components[name]({ ...component, data: unpack(component.data) });
}

// What a page loads: every component by its name (registry.js, which ui/components.py writes),
// behind one promise that the component stubs await.

import { followAddress } from "./address.js";
import { keptUntilConnected, watchConnection } from "./connection.js";
import { whole } from "./kept.js";
import { unpack } from "../../drawing/packing.js";
import { components } from "./registry.js";
import { dress, followTheme } from "../../drawing/theme.js";
import { followVisitor } from "./visitor.js";

/** @import { Component, Mode, Scripts } from "../../drawing/types.js" */

/**
 * Streamlit loads each component as a module of its own. This promise, the app's only global, connects these modules.
 *
 * @param {Component<{ mode: Mode, key: string }>} component
 */
export default function load(component) {
  globalThis.lmlLibrary ??= Promise.withResolvers();
  globalThis.lmlLibrary.resolve({ draw });
  followAddress();
  watchConnection();
  followTheme(component);
  followVisitor(component);
}

/**
 * Draw the component `name` from the data that drawing.live.pack wrote.
 *
 * @template {keyof Scripts} Name @param {Name} name @param {Component<Uint8Array>} component
 */
async function draw(name, component) {
  dress(component.parentElement);
  const setTriggerValue = keptUntilConnected(component.setTriggerValue);
  const data = /** @type {Scripts[Name]} */ (await whole(unpack(component.data)));
  return components[name]({ ...component, setTriggerValue, data });
}

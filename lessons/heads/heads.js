// Every attention head of a model over a text, at once: the grid, the open head as a map and as lines.
//
// All weights are here, so the hand, the filters and the arrow keys ask the server nothing; it hears
// where they have come to rest, and sends the open head's weights with all digits (opened.js).

import { magnified } from "../../ui/browser/dom.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews } from "../../ui/browser/events.js";
import { build } from "./heads_build.js";
import { decode } from "./heads_codes.js";
import { drawHead, redraw, say } from "./heads_draw.js";
import { filtersOf, sharedOf } from "./heads_state.js";
import { openHeads } from "./opened.js";

/** @import { Component, OpenPlace, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["heads"]} Data */

/** @param {Component<Data>} component */
export default function heads({ data, parentElement, setTriggerValue }) {
  const start = performance.now();
  const room = Math.floor((parentElement.host.clientWidth || 700) / magnified());
  const shape = JSON.stringify([data.of, room, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  Object.assign(picture, { data, room, colour: colours(parentElement), send: (value) => setTriggerValue("event", value) });
  if (!fresh) return picture.stop;
  picture.codes = decode(data.codes, data.layers * data.heads * data.tokens.length ** 2);
  picture.sent = [];
  picture.at = opening(data);
  build(picture);
  const listen = () => take(picture);
  window.addEventListener(`opened:${data.group}`, listen);
  picture.stop = () => {
    window.removeEventListener(`opened:${data.group}`, listen);
    clearTimeout(picture.timer);
  };
  if (!take(picture)) redraw(picture);
  performance.measure("heads", { start });
  return picture.stop;
}

/**
 * Until the server says what is open: the filters as they were, and the head, where there is such.
 *
 * @param {Data} data
 * @returns {OpenPlace}
 */
function opening({ group, layers, heads: count, pair }) {
  const before = openHeads.get(group)?.at ?? { layer: 0, head: 0, special: false, threshold: 0, between: "all", faint: false };
  return {
    ...before,
    layer: Math.min(before.layer, layers - 1),
    head: Math.min(before.head, count - 1),
    query: -1,
    key: -1,
    between: pair ? before.between : "all",
  };
}

/** @param {Picture<Data>} picture */
function take(picture) {
  const sent = openHeads.get(picture.data.group);
  if (sent?.of !== picture.data.of) return false;
  picture.exact = sent;
  if (!isNews(picture, sharedOf(sent.at))) {
    say(picture);
    return true;
  }
  const before = filtersOf(picture);
  picture.at = { ...sent.at };
  if (picture.view && before === filtersOf(picture)) drawHead(picture);
  else redraw(picture);
  return true;
}

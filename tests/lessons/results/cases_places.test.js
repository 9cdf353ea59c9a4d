import assert from "node:assert/strict";
import { test } from "node:test";

import { placesOf as usePlaces } from "../../../lessons/results/in_use_places.js";
import { placesOf as paperPlaces } from "../../../lessons/results/paper_places.js";
import { hoursAt, placesOf as scalePlaces } from "../../../lessons/results/scale_places.js";

const ROOMS = [
  { width: 1036, height: 460, narrow: false },
  { width: 366, height: 430, narrow: true },
];
const numbers = (given) => (name) => given[name];

for (const room of ROOMS) {
  test(`the bars of the labels stand below each other, ${room.width} wide`, () => {
    const labels = ["a", "b", "c", "d", "e", "f", "g"];
    const at = paperPlaces({ data: { labels }, ...room });
    labels.forEach((_, n) => n && assert.ok(at.y(n) > at.y(n - 1) + at.high));
    assert.ok(at.y(labels.length - 1) + at.high <= at.foot);
    assert.ok(at.apple.y - 1.4 * at.apple.r > -0.2 * at.apple.r);
    const [on, aside] = [at.apple.y + at.apple.r, at.aside.y - at.paper.high / 2];
    assert.ok(room.narrow || aside > on - 4, "the paper lies below the apple");
  });

  test(`a place of the scale is one number of hours, ${room.width} wide`, () => {
    const data = { labels: Array(8).fill(""), low: 1, high: 1e8 };
    const values = numbers({ own: 200, lbs: 1, overhead: 2, watts: 1000 });
    const at = scalePlaces({ data, values, ...room });
    assert.ok(Math.abs(hoursAt(at, values, at.own) - 100) < 1e-6);
    assert.equal(hoursAt(at, values, at.right + 500), 1e5);
    assert.equal(hoursAt(at, numbers({ lbs: 0, overhead: 1, watts: 0 }), at.left), 1);
    assert.ok(at.y(7) < at.foot && at.ruler > at.foot);
  });

  test(`the towers of the models stand beside each other, ${room.width} wide`, () => {
    const at = usePlaces({ data: { uses: Array(5).fill({}) }, ...room });
    const towers = [0, 1, 2].flatMap((n) => at.towersOf(n));
    assert.deepEqual(
      towers.map((tower) => tower.causal),
      [false, false, true, true],
    );
    towers.forEach((tower, n) => n && assert.ok(tower.left > towers[n - 1].left + towers[n - 1].wide));
    assert.ok(towers[3].left + towers[3].wide < room.width);
    const last = at.buttonOf(4);
    assert.ok(last.y + last.high < room.height && last.x + last.wide < room.width);
  });
}

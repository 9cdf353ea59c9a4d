import assert from "node:assert/strict";
import { test } from "node:test";
import { boxesOf, breakLine, layCode } from "../../drawing/code_lines.js";

const LINE = "    beta = torch.randn(x.shape[1], 1, requires_grad=True)";

for (const letters of [24, 40, 80]) {
  test(`a line in pieces of ${letters} letters has all its letters, and each piece fits`, () => {
    const pieces = breakLine(LINE, letters);
    assert.equal(pieces.map(({ text }) => text).join(""), LINE);
    for (const { text, indent } of pieces) assert.ok(text.trimEnd().length + indent <= letters);
    assert.equal(pieces[0].from, 0);
    assert.ok(letters < 80 ? pieces.length > 1 : pieces.length === 1);
  });
}

test("code is as large as its box allows, and an aside stands above a line that leaves it no room", () => {
  const lines = [LINE, "x = 1"];
  const asides = new Map([
    [0, "randn(X.shape, 1), and more words than there is room for"],
    [1, "x = 2"],
  ]);
  const box = { left: 10, top: 0, room: 640, high: 200, most: 19, least: 14 };
  const laid = layCode(lines, asides, box);
  assert.ok(laid.size === 19 && laid.foot <= 200);
  const [above, behind] = laid.asides;
  assert.ok(above.y < laid.pieces[0].y);
  assert.equal(behind.y, laid.pieces.find(({ line }) => line === 1)?.y);
  const small = layCode(Array(12).fill(LINE), new Map(), { ...box, high: 260 });
  assert.ok(small.size < 19 && small.size >= 14);
});

test("a part that goes on in the next piece has a box in both", () => {
  const laid = layCode([LINE], new Map(), { left: 0, top: 0, room: 300, high: 300, most: 16, least: 14 });
  const start = LINE.indexOf("x.shape");
  const boxes = boxesOf(laid, 0, start, LINE.length);
  assert.ok(boxes.length >= 2);
  const wide = boxes.reduce((sum, box) => sum + box.wide, 0);
  assert.ok(Math.abs(wide - (LINE.length - start) * laid.letter) < 0.01);
});

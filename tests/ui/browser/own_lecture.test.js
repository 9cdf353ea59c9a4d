// A lecture of one's own: its link, its file, and what is refused.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

globalThis.location = /** @type {any} */ ({
  href: "http://here/neuron?w=1&deck=cmu&slide=4&present=1&beat=2",
  search: "?w=1&deck=cmu&slide=4&present=1&beat=2",
  pathname: "/neuron",
});
const { checkLecture, lectureOf, linkOf, placed, plainPath, tomlOf, viewOnScreen, withBeats, withViews } =
  await import("../../../ui/browser/own_lecture.js");

const LECTURE = {
  title: "Week “3”",
  slides: [
    {
      heading: 'A "quoted"\\ heading\nof two lines \u007f',
      path: "/neuron?w=1&b=%3Cb%3E",
      notes: "σ(z) 😀",
      hide: true,
    },
    { heading: "", path: "/", notes: "", hide: false },
  ],
};

test("a link holds the whole lecture, in its fragment alone", async () => {
  const link = new URL(await linkOf(LECTURE));
  assert.equal(link.pathname + link.search, "/lectures?deck=mine");
  assert.match(link.hash, /^#[\w-]+$/);
  assert.deepEqual(await lectureOf(link.hash.slice(1)), LECTURE);
});

test("a view of every page may be a slide", async () => {
  const contents = await readFile(new URL("../../../assets/contents.toml", import.meta.url), "utf8");
  const slugs = [...contents.matchAll(/^slug = "(.*)"$/gm)].map(([, slug]) => slug);
  assert.ok(slugs.includes("seq2seq"));
  for (const slug of slugs) assert.equal(checkLecture({ slides: [{ path: `/${slug}?see=Code` }] }).slides.length, 1);
});

test("a lecture that is too long for a link is refused", async () => {
  const noise = () => Array.from({ length: 900 }, () => String.fromCharCode(33 + 90 * Math.random())).join("");
  const slides = Array.from({ length: 300 }, () => ({ ...LECTURE.slides[0], notes: noise() }));
  await assert.rejects(linkOf({ title: "T", slides }), /too long for a link \(\d{6} characters\); save it as a file/);
});

test("a link of twenty slides with settings is short enough for a message", async () => {
  const slides = Array.from({ length: 20 }, (_, i) => ({
    ...LECTURE.slides[0],
    heading: `Slide ${i}`,
    notes: `What to say at ${i}. `.repeat(10),
  }));
  assert.ok((await linkOf({ title: "T", slides })).length < 2000);
});

for (const bad of ["", "x", "AAAA", "%%%", "e30"]) {
  test(`a link with ${JSON.stringify(bad)} is said to hold none`, async () => {
    await assert.rejects(lectureOf(bad), /this link holds no lecture: it may have been cut/);
  });
}

test("a link that unpacks to more than 5 MB is refused", async () => {
  const huge = await linkOf({ title: "x".repeat(6_000_000), slides: [] });
  await assert.rejects(lectureOf(new URL(huge).hash.slice(1)), /holds no lecture/);
});

test("what is wrong in a lecture is said with its place", () => {
  const slide = LECTURE.slides[0];
  const refused = [
    [null, /must have a list of slides/],
    [{ slides: 3 }, /must have a list of slides/],
    [{ slides: Array(10_000).fill(slide) }, /at most 500 slides; got 10000/],
    [{ title: 3, slides: [] }, /the title must be text; got number/],
    [
      { slides: [slide, { ...slide, path: "javascript:alert(1)" }] },
      /the view of slide 2 must be a page of this app.*got javascript:alert\(1\)/,
    ],
    [{ slides: [{ ...slide, path: "//elsewhere/x" }] }, /the view of slide 1 must be a page/],
    [{ slides: [{ ...slide, path: "https://elsewhere/x" }] }, /the view of slide 1 must be a page/],
    [
      { slides: [{ ...slide, notes: "x".repeat(2001) }] },
      /the notes of slide 1 may have at most 2000 characters; got 2001/,
    ],
    [{ slides: [null] }, /the view of slide 1 must be text/],
  ];
  for (const [given, said] of refused) assert.throws(() => checkLecture(given), /** @type {RegExp} */ (said));
});

test("the view on screen is its address without its place in a lecture", () => {
  assert.equal(viewOnScreen(), "/neuron?w=1");
  assert.equal(placed("/neuron?w=1", 3), "/neuron?w=1&deck=mine&slide=3");
  assert.equal(placed("/", 1), "/?deck=mine&slide=1");
});

test("a file has each slide as a table, and leaves out what is empty", () => {
  assert.equal(
    tomlOf({ title: "T", slides: [LECTURE.slides[1]] }),
    'title = "T"\n\n[[slide]]\nheading = ""\npath = "/"\n',
  );
});

test("a slide without a view keeps its number, its title and its notes, and has no address", () => {
  const lecture = checkLecture({
    title: "Mine",
    slides: [
      { heading: "Homework", path: "", notes: "by Friday" },
      { heading: "Masks", path: "/masking" },
    ],
  });
  assert.deepEqual(lecture.slides[0], { heading: "Homework", path: "", notes: "by Friday", hide: false });
  assert.equal(placed("", 1), "");
  assert.deepEqual(
    withViews(lecture).slides.map(({ heading }) => heading),
    ["Masks"],
  );
});

test("the beats of a slide are a part of its address, and none of its view", () => {
  assert.equal(withBeats("/masking", [2, 4]), "/masking?beats=2.4");
  assert.equal(withBeats("/masking?see=Compare", [2]), "/masking?see=Compare&beats=2");
  assert.equal(withBeats("/masking", []), "/masking");
  assert.equal(plainPath("/masking?see=Compare&beats=2.4"), "/masking?see=Compare");
});

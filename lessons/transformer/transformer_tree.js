// The parts of a whole Transformer as a tree, each with its place from left to right: model → block → attention, MLP →
// head → tensor. x is from 0 to 1; each strip is one sequence of tokens, from its top to its bottom.

/**
 * @typedef {object} Part
 * @property {string} id
 * @property {string} title
 * @property {string} short a shorter title, if there is no room
 * @property {"group" | "attention" | "head" | "tile" | "words"} kind
 * @property {number} weight its share of the width of its parent
 * @property {number} strip the sequence of tokens: 0, or with an encoder 0 for the source and 1 for the target
 * @property {Part[]} children
 * @property {Part | null} parent
 * @property {string} stage of a tile: the stage whose numbers it shows
 * @property {number} first its first column
 * @property {number} columns how many; 0: all
 * @property {number} left
 * @property {number} right
 * @property {string} sum the id of the part whose stream is added here
 */
/**
 * The part of the data that determines the tree.
 *
 * @typedef {object} Sizes
 * @property {string} family gpt, bert or translation
 * @property {number} layers
 * @property {number} heads
 * @property {number} width
 * @property {readonly string[]} stages
 * @property {unknown} words null in a model without a head
 */
/** @typedef {{ sizes: Sizes, has: Set<string>, narrow: boolean }} Plan has: the stages of the model */
/** @typedef {[stage: string, title: string, how?: Partial<Part>]} TileRow */

const GAP = { model: 0.007, inner: 0.025 }; // space between two parts, as a share of the parent's width

/** @param {Partial<Part> & Pick<Part, "id" | "title">} how @returns {Part} */
const part = (how) => ({
  short: how.title,
  kind: "group",
  weight: 1,
  strip: 0,
  children: [],
  parent: null,
  stage: "",
  first: 0,
  columns: 0,
  left: 0,
  right: 1,
  sum: "",
  ...how,
});

/** @param {string} stage @param {string} title @param {Partial<Part>} how */
const tile = (stage, title, how = {}) => part({ id: stage, stage, title, kind: "tile", ...how });

/**
 * Tiles of those stages that the model has.
 *
 * @param {Plan} plan @param {readonly TileRow[]} rows
 */
const tilesOf = ({ has }, rows) => rows.filter(([stage]) => has.has(stage)).map((row) => tile(...row));

/**
 * @param {Sizes} sizes
 * @param {boolean} narrow whether it is drawn for a phone
 */
export function buildTree(sizes, narrow = false) {
  const plan = { sizes, has: new Set(sizes.stages), narrow };
  const root = part({ id: "", title: "Model" });
  stripsOf(plan).forEach((parts, strip) => {
    const kept = parts.filter((each) => each.children.length);
    root.children.push(...kept);
    place(kept, root, strip, GAP.model);
  });
  return root;
}

/**
 * The parts of each strip, from left to right.
 *
 * @param {Plan} plan
 */
function stripsOf(plan) {
  if (plan.sizes.family !== "translation")
    return [[embedding(plan, "", "Embedding"), ...blocks(plan, "b", "Block"), unembedding(plan)]];
  const memory = part({ id: "m.end", title: "m", weight: 0.8, children: tilesOf(plan, [["m", "m"]]) });
  return [
    [embedding(plan, "e.", "Source"), ...blocks(plan, "e", "Encoder"), memory],
    [embedding(plan, "", "Target"), ...blocks(plan, "d", "Decoder"), unembedding(plan)],
  ];
}

/**
 * @param {Plan} plan
 * @param {string} prefix of its stages
 * @param {string} title
 */
const embedding = (plan, prefix, title) =>
  part({
    id: `${prefix}embed`,
    title,
    short: "Embed",
    weight: 3,
    children: tilesOf(plan, [
      [`${prefix}token`, "E[x]"],
      [`${prefix}position`, "P"],
      [`${prefix}segment`, "S"],
      [`${prefix}embedding`, "h⁽⁰⁾"],
      [`${prefix}ln0`, "LN"],
    ]),
  });

/**
 * The part from the last vectors to the words.
 *
 * @param {Plan} plan
 */
function unembedding(plan) {
  const { narrow, sizes } = plan;
  const words = part({ id: "words", title: "logits → ŷ → word", short: "ŷ", kind: "words", weight: narrow ? 6 : 3.4 });
  const tiles = tilesOf(plan, [
    ["final", "LN"],
    ["dense", "z"],
    ["active", "g(z)"],
    ["transformed", "LN"],
  ]);
  return part({
    id: "unembed",
    title: "Unembedding",
    short: "Unembed",
    weight: narrow ? 9 : 5,
    children: sizes.words ? [...tiles, words] : tiles,
  });
}

/**
 * All blocks of an encoder or a decoder.
 *
 * @param {Plan} plan
 * @param {string} letter with which their stages begin
 * @param {string} name
 */
const blocks = (plan, letter, name) =>
  Array.from({ length: plan.sizes.layers }, (_, n) => block(plan, `${letter}${n + 1}`, name, n + 1));

/**
 * @param {Plan} plan
 * @param {string} at its id, with which its stages begin
 * @param {string} name
 * @param {number} n its number, from 1
 */
function block(plan, at, name, n) {
  const { layers } = plan.sizes;
  const crosses = plan.has.has(`${at}.co`);
  return part({
    id: at,
    title: `${name} ${n}`,
    short: String(n),
    weight: (15 + layers / 2) / layers,
    children: [
      attention(plan, at, "", crosses ? "Self-attention" : "Attention"),
      ...sums(plan, at, ["r1", "n1"], "attention"),
      ...(crosses ? [attention(plan, at, "c", "Cross-attention"), ...sums(plan, at, ["rc", "nc"], "cross")] : []),
      feed(plan, at),
      ...sums(plan, at, ["r2", "n2"], "feed"),
    ],
  });
}

/**
 * @param {Plan} plan
 * @param {string} at
 * @param {"" | "c"} cross the letter before its stages: c for a cross-attention
 * @param {string} title
 */
const attention = (plan, at, cross, title) =>
  part({
    id: `${at}.${cross ? "cross" : "attention"}`,
    title,
    short: cross ? "Cross" : "Attn",
    kind: "attention",
    weight: 5,
    children: [
      ...tilesOf(plan, [[`${at}.ln${cross || 1}`, "LN", { weight: 0.9 }]]),
      ...Array.from({ length: plan.sizes.heads }, (_, h) => head(plan, at, cross, h)),
      ...tilesOf(plan, [[`${at}.${cross}o`, "Z Wᴼ", { weight: 0.9 }]]),
    ],
  });

/**
 * @param {Plan} plan
 * @param {string} at
 * @param {"" | "c"} cross
 * @param {number} h from 0
 */
function head({ sizes }, at, cross, h) {
  const wide = sizes.width / sizes.heads;
  const columns = { first: h * wide, columns: wide };
  /** @type {(letter: string) => string} */
  const name = (letter) => `${at}.${cross}${letter}`;
  return part({
    id: `${at}.${cross}head.${h + 1}`,
    title: `Head ${h + 1}`,
    short: String(h + 1),
    kind: "head",
    weight: 3.6 / sizes.heads,
    children: [
      ...["Q", "K", "V"].map((letter) =>
        tile(name(letter.toLowerCase()), letter, { id: `${name(letter.toLowerCase())}.${h + 1}`, ...columns }),
      ),
      tile(`${name("score")}.${h + 1}`, "QKᵀ/√d", { weight: 1.3 }),
      tile(`${name("alpha")}.${h + 1}`, "α", { weight: 1.3 }),
      tile(name("z"), "Z", { id: `${name("z")}.${h + 1}`, ...columns }),
    ],
  });
}

/** @param {Plan} plan @param {string} at */
const feed = (plan, at) =>
  part({
    id: `${at}.feed`,
    title: "MLP",
    weight: 3.4,
    children: tilesOf(plan, [
      [`${at}.ln2`, "LN", { weight: 0.9 }],
      [`${at}.pre`, "z", { weight: 1.4 }],
      [`${at}.act`, "g(z)", { weight: 1.4 }],
      [`${at}.mlp`, "z W₂", { weight: 0.9 }],
    ]),
  });

/**
 * The tiles after an attention or an MLP: the sum with the stream, and in some models a LayerNorm.
 *
 * @param {Plan} plan
 * @param {string} at
 * @param {[sum: string, norm: string]} stages
 * @param {string} around the part that the stream goes around
 */
const sums = (plan, at, [sum, norm], around) =>
  tilesOf(plan, [
    [`${at}.${sum}`, "+", { weight: 0.9, sum: `${at}.${around}` }],
    [`${at}.${norm}`, "LN", { weight: 0.9 }],
  ]);

/**
 * Give the parts their places in their parent, side by side.
 *
 * @param {readonly Part[]} parts
 * @param {Part} parent
 * @param {number} strip
 * @param {number} share of the parent's width, between two parts
 */
function place(parts, parent, strip, share) {
  const wide = parent.right - parent.left;
  const gap = wide * share;
  const room = wide - gap * (parts.length - 1);
  const total = parts.reduce((sum, each) => sum + each.weight, 0);
  let left = parent.left;
  for (const each of parts) {
    Object.assign(each, { parent, strip, left, right: left + (room * each.weight) / total });
    place(each.children, each, strip, GAP.inner);
    left = each.right + gap;
  }
}

/**
 * The part with an id, or null.
 *
 * @param {Part} root @param {string} id @returns {Part | null}
 */
export function findPart(root, id) {
  return firstPart(root, (each) => each.id === id);
}

/**
 * The tile that shows a number of a stage, or null.
 *
 * @param {Part} root @param {string} stage @param {number} column
 */
export function tileOf(root, stage, column) {
  return firstPart(
    root,
    (each) => each.stage === stage && (!each.columns || (column >= each.first && column < each.first + each.columns)),
  );
}

/** @param {Part} root @param {(part: Part) => boolean} fits @returns {Part | null} */
function firstPart(root, fits) {
  if (fits(root)) return root;
  for (const each of root.children) {
    const found = firstPart(each, fits);
    if (found) return found;
  }
  return null;
}

/**
 * The path to a part: all parts that contain it, from the model on, and the part.
 *
 * @param {Part | null} part @returns {Part[]}
 */
export function wayTo(part) {
  return part ? [...wayTo(part.parent), part] : [];
}

/**
 * The full name of a part: the names along its path.
 *
 * @param {Part} part
 */
export function nameOf(part) {
  const way = wayTo(part).slice(1);
  return way.length ? way.map((each) => each.title).join(", ") : "the whole model";
}

// The parts of a whole Transformer as a tree, each with its place from left to right: model → block → attention, MLP →
// head → tensor. x is from 0 to 1; each strip is one sequence of tokens, from its top to its bottom.

/**
 * @typedef {object} Part
 * @property {string} id
 * @property {string} title
 * @property {string} short where there is no room for the title
 * @property {string} kind group, attention, head, tile or words
 * @property {number} weight
 * @property {number} strip
 * @property {Part[]} children
 * @property {Part | null} parent
 * @property {string} stage of a tile: the stage whose numbers it shows
 * @property {number} first its first column
 * @property {number} columns how many; 0: all
 * @property {number} left
 * @property {number} right
 * @property {string} sum the id of the part whose stream is added here
 */

/** @param {any} how @returns {Part} */
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
const tile = (stage, title, how = {}) => part({ id: stage, stage, title, kind: "tile", ...how });

const GAP = { model: 0.007, inner: 0.025 }; // of the width of the parent, between two parts

/**
 * @param {{ family: string, layers: number, heads: number, width: number, stages: readonly string[], words: unknown }} data
 * @param {boolean} narrow whether it is drawn for a phone
 */
export function buildTree(data, narrow = false) {
  const has = new Set(data.stages);
  const own = (names) =>
    names.filter(([stage]) => has.has(stage)).map(([stage, title, how]) => tile(stage, title, how));
  const embedding = (prefix, title, strip) =>
    part({
      id: `${prefix}embed`,
      title,
      short: "Embed",
      strip,
      weight: 3,
      children: own([
        [`${prefix}token`, "E[x]"],
        [`${prefix}position`, "P"],
        [`${prefix}segment`, "S"],
        [`${prefix}embedding`, "h⁽⁰⁾", { sum: " " }],
        [`${prefix}ln0`, "LN"],
      ]),
    });
  const weight = (15 + data.layers / 2) / data.layers;
  const blocks = (letter, name, strip) =>
    Array.from({ length: data.layers }, (_, n) =>
      block(`${letter}${n + 1}`, `${name} ${n + 1}`, n + 1, { has, own, strip, weight, data }),
    );
  const head = (strip) =>
    part({
      id: "unembed",
      title: "Unembedding",
      short: "Unembed",
      strip,
      weight: narrow ? 9 : 5,
      children: [
        ...own([
          ["final", "LN"],
          ["dense", "z"],
          ["active", "g(z)"],
          ["transformed", "LN"],
        ]),
        ...(data.words
          ? [
              part({
                id: "words",
                title: "logits → ŷ → word",
                short: "ŷ",
                kind: "words",
                weight: narrow ? 6 : 3.4,
                strip,
              }),
            ]
          : []),
      ],
    });
  const strips =
    data.family === "translation"
      ? [
          [
            embedding("e.", "Source", 0),
            ...blocks("e", "Encoder", 0),
            part({ id: "m.end", title: "m", weight: 0.8, children: own([["m", "m"]]) }),
          ],
          [embedding("", "Target", 1), ...blocks("d", "Decoder", 1), head(1)],
        ]
      : [[embedding("", "Embedding", 0), ...blocks("b", "Block", 0), head(0)]];
  const root = part({ id: "", title: "Model" });
  strips.forEach((parts, strip) => {
    const kept = parts.filter((each) => each.children.length);
    root.children.push(...kept);
    place(kept, root, strip, GAP.model);
  });
  return root;
}

function block(at, title, n, { has, own, strip, weight, data }) {
  const short = String(n);
  const attention = (cross, name) =>
    part({
      id: `${at}.${cross ? "cross" : "attention"}`,
      title: name,
      short: cross ? "Cross" : "Attn",
      kind: "attention",
      weight: 5,
      strip,
      children: [
        ...own([[`${at}.ln${cross || 1}`, "LN", { weight: 0.9 }]]),
        ...Array.from({ length: data.heads }, (_, h) => headPart(at, cross, h, { strip, data })),
        ...own([[`${at}.${cross}o`, "Z Wᴼ", { weight: 0.9 }]]),
      ],
    });
  const after = (names, from) =>
    own(names.map((name, i) => [`${at}.${name}`, i ? "LN" : "+", { weight: 0.9, sum: i ? "" : from }]));
  return part({
    id: at,
    title,
    short,
    strip,
    weight,
    children: [
      attention("", has.has(`${at}.co`) ? "Self-attention" : "Attention"),
      ...after(["r1", "n1"], `${at}.attention`),
      ...(has.has(`${at}.co`) ? [attention("c", "Cross-attention"), ...after(["rc", "nc"], `${at}.cross`)] : []),
      part({
        id: `${at}.feed`,
        title: "MLP",
        weight: 3.4,
        strip,
        children: own([
          [`${at}.ln2`, "LN", { weight: 0.9 }],
          [`${at}.pre`, "z", { weight: 1.4 }],
          [`${at}.act`, "g(z)", { weight: 1.4 }],
          [`${at}.mlp`, "z W₂", { weight: 0.9 }],
        ]),
      }),
      ...after(["r2", "n2"], `${at}.feed`),
    ],
  });
}

function headPart(at, cross, h, { strip, data }) {
  const wide = data.width / data.heads;
  const columns = { first: h * wide, columns: wide };
  const name = (letter) => `${at}.${cross}${letter}`;
  return part({
    id: `${at}.${cross}head.${h + 1}`,
    title: `Head ${h + 1}`,
    short: String(h + 1),
    kind: "head",
    weight: 3.6 / data.heads,
    strip,
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

/** Give the parts their places in their parent, side by side. */
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

/** The part of that name, or null. */
export function findPart(root, id) {
  if (root.id === id) return root;
  for (const each of root.children) {
    const found = findPart(each, id);
    if (found) return found;
  }
  return null;
}

/** The tile that shows a number of a stage, or null. */
export function tileOf(root, stage, column) {
  const fits = (each) =>
    each.stage === stage && (!each.columns || (column >= each.first && column < each.first + each.columns));
  if (fits(root)) return root;
  for (const each of root.children) {
    const found = tileOf(each, stage, column);
    if (found) return found;
  }
  return null;
}

/** A part and those that it is in, the model first. */
export function wayTo(part) {
  return part ? [...wayTo(part.parent), part] : [];
}

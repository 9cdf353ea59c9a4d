// Every attention head of a model over a text, at once: the grid, the open head as a map and as lines.
//
// All weights are here, so the hand, the filters and the arrow keys ask the server nothing; it hears
// where they have come to rest, and sends the open head's weights with all digits (opened.js).

const SHARED = ["layer", "head", "query", "key", "special", "threshold", "between", "faint"];
const SIDES = { all: "all", AA: "A → A", AB: "A → B", BA: "B → A", BB: "B → B" };
const WIDE = 820;

export default function heads({ data, parentElement, setTriggerValue }) {
  const start = performance.now();
  const room = Math.floor((parentElement.host.clientWidth || 700) / magnified());
  const shape = JSON.stringify([data.of, room, isDark(parentElement)]);
  const [root, fresh] = stage(parentElement, shape);
  Object.assign(root, { data, room, colour: colours(parentElement), tell: (value) => setTriggerValue("told", value) });
  if (!fresh) return root.stop;
  root.codes = decode(data.codes, data.layers * data.heads * data.tokens.length ** 2);
  root.told = [];
  root.at = opening(data);
  build(root);
  const listen = () => take(root);
  window.addEventListener(`opened:${data.group}`, listen);
  root.stop = () => {
    window.removeEventListener(`opened:${data.group}`, listen);
    clearTimeout(root.timer);
  };
  if (!take(root)) redraw(root);
  performance.measure("heads", { start });
  return root.stop;
}

// Until the server says what is open: the filters as they were, and the head, where there is such.
function opening({ group, layers, heads: count, pair }) {
  const before = globalThis.lmlOpened?.[group]?.at ?? { layer: 0, head: 0, special: false, threshold: 0, between: "all", faint: false };
  return {
    ...before,
    layer: Math.min(before.layer, layers - 1),
    head: Math.min(before.head, count - 1),
    query: -1,
    key: -1,
    between: pair ? before.between : "all",
  };
}

const sharedOf = (at) => JSON.stringify(SHARED.map((name) => at[name]));

function take(root) {
  const sent = globalThis.lmlOpened?.[root.data.group];
  if (sent?.of !== root.data.of) return false;
  root.exact = sent;
  if (!isNews(root, sharedOf(sent.at))) {
    say(root);
    return true;
  }
  const before = filtersOf(root);
  root.at = { ...sent.at };
  if (root.view && before === filtersOf(root)) drawHead(root);
  else redraw(root);
  return true;
}

// What the small pictures depend on, beside the weights.
const filtersOf = (root) => JSON.stringify([viewOf(root), root.at.threshold, root.at.faint]);

// What the hand has changed, drawn at once, and told when it rests.
function change(root, part) {
  const before = filtersOf(root);
  Object.assign(root.at, part);
  if (before !== filtersOf(root)) redraw(root);
  else if ("layer" in part) drawHead(root);
  else drawMarks(root);
  tellAtRest(root, sharedOf(root.at), { value: { ...root.at } });
}

// --- drawing -----------------------------------------------------------------------------------------

const sharpness = () => magnified() * Math.min(devicePixelRatio || 1, 2);
const font = (size, weight = 400) => `${weight} ${size}px ${heads.family ?? "sans-serif"}`;

function fit(canvas, width, height) {
  const sharp = sharpness();
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  canvas.style.width = `${magnified() * width}px`;
  canvas.style.height = `${magnified() * height}px`;
}

function clear(pen, canvas) {
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const sharp = sharpness();
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
}

function codeAt({ codes, data }, { layer, head }, query, key) {
  const count = data.tokens.length;
  return codes[((layer * data.heads + head) * count + query) * count + key];
}

// The places that look and the places looked at, as the filters leave them.
function viewOf({ data, at }) {
  const places = data.tokens.map((_, place) => place);
  const shown = (side) => places.filter(
    (place) => !(at.special && data.special[place]) && (at.between === "all" || data.segments[place] === "AB".indexOf(at.between[side])),
  );
  const [rows, columns] = [shown(0), shown(1)];
  return rows.length && columns.length ? { rows, columns } : { rows: places, columns: places };
}

// A token that is pointed at is followed as long as it is; one that was pressed, until pressed again.
function followed_now({ at, point }) {
  return { query: point?.query ?? at.query, key: point?.key ?? at.key };
}

function redraw(root) {
  root.view = viewOf(root);
  root.paint = paints(root.data, root.at, root.colour.background);
  layout(root);
  paintGrid(root);
  drawHead(root);
  showControls(root);
}

function layout(root) {
  const wide = root.room >= WIDE;
  const left = wide ? Math.floor(root.room * 0.39) : root.room;
  const size = gridLayout(root, left);
  fit(root.grid, size.width, size.height);
  fit(root.gridMarks, size.width, size.height);
  root.left.style.width = wide ? `${magnified() * left}px` : "100%";
  const rest = wide ? root.room - left - 28 : root.room;
  // The lines stand beside the map, row by row, or of a longer text under the grid.
  const beside = rest - MAP.lines - 22 >= MAP.beside * root.view.columns.length;
  (wide && !beside ? root.left : root.pair).append(root.linesBox);
  root.mapBox.style.maxWidth = beside ? `${magnified() * (rest - MAP.lines - 20)}px` : "100%";
  mapLayout(root, beside ? rest - MAP.lines - 22 : rest - 4);
}

function drawHead(root) {
  root.heading.textContent = `Layer ${root.at.layer}, head ${root.at.head}`;
  paintMap(root);
  drawMarks(root);
}

function drawMarks(root) {
  markGrid(root);
  markMap(root);
  paintLines(root);
  say(root);
}

// --- in words ------------------------------------------------------------------------------------------

function weightText(root, spot) {
  const { exact, data } = root;
  const count = data.tokens.length;
  if (exact?.of === data.of && exact.at.layer === spot.layer && exact.at.head === spot.head) {
    return significant(exact.weights[spot.query * count + spot.key]);
  }
  return textOf(codeAt(root, spot, spot.query, spot.key));
}

function say(root, aloud = false) {
  const spot = { ...root.at, ...root.point };
  const { tokens, special } = root.data;
  root.readout.replaceChildren();
  const part = (text, kind) => html("span", kind ? { class: kind } : {}, root.readout, text);
  const open = spot.layer === root.at.layer && spot.head === root.at.head;
  const name = open ? "" : `Layer ${spot.layer}, head ${spot.head}: `;
  if (spot.query >= 0 && spot.key >= 0) {
    part(name, "count-of");
    part(tokens[spot.query], "query");
    part(" looks at ");
    part(tokens[spot.key], "key");
    part(" with weight ");
    part(weightText(root, spot), "weight-of");
  } else if (spot.query >= 0) {
    part(name, "count-of");
    part(tokens[spot.query], "query");
    part(" looks most at ");
    const best = strongest(root, spot);
    part(tokens[best], "key");
    part(`, with weight ${weightText(root, { ...spot, key: best })}`);
  } else if (spot.key >= 0) {
    part(name, "count-of");
    part(tokens[spot.key], "key");
    part(" is looked at: its column is marked in every head");
  } else part("Point at any cell for its weight; point at a token to follow it; press to keep it.");
  if (root.at.special && special.some(Boolean)) {
    part("  Special tokens are hidden and nothing is made up for them: rows no longer sum to 1.", "aside");
  }
  if (aloud) root.aloud.textContent = root.readout.textContent;
}

function strongest(root, { layer, head, query }) {
  let best = root.view.columns[0];
  for (const key of root.view.columns) {
    if (codeAt(root, { layer, head }, query, key) > codeAt(root, { layer, head }, query, best)) best = key;
  }
  return best;
}

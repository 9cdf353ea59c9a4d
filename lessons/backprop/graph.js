// A computation graph: values forward, gradients backward, one node at a time.
// Which numbers are shown is decided here; the numbers themselves come from the trace.

const GAP = { layer: 48, row: 14 };
const SMALLEST = 0.72; // a graph a little too wide is scaled down so far; a wider one scrolls
const boxOf = (data) => ({ width: data.nodes.some((node) => node.shape) ? 172 : 122, height: 66 });

export default function graph({ data, parentElement, setTriggerValue }) {
  const wide = parentElement.host.clientWidth || 700;
  const upright = needs(data, false).width > wide && needs(data, true).width < needs(data, false).width;
  const shape = JSON.stringify([data.nodes, data.edges, upright, isDark(parentElement)]);
  const [root, fresh] = stage(parentElement, shape);
  const old = parentElement.walker;
  if (fresh) root.parts = build(root, data, upright, colours(parentElement));
  const parts = root.parts;
  parts.svg.style.maxWidth = needs(data, upright).width * SMALLEST <= wide ? "100%" : "none";
  parts.walker.tell = (at) => setTriggerValue("told", at);
  if (fresh && old) old.stop();
  parentElement.walker = parts.walker;
  parts.walker.take(data);
  const end = follow(root, data, (values) => {
    parts.fillIn(data, values);
    parts.walker.show();
  });
  return () => {
    parts.walker.stop();
    end();
  };
}

// --- where things stand -----------------------------------------------------------------------

function needs(data, upright) {
  const layers = 1 + Math.max(...data.nodes.map((node) => node.place[0]));
  const rows = 1 + Math.max(...data.nodes.map((node) => node.place[1]), ...data.edges.flatMap((e) => e.bends.map((b) => b[1])));
  const [across, along] = upright ? [rows, layers] : [layers, rows];
  const gap = upright ? [GAP.row, GAP.layer] : [GAP.layer, GAP.row + 8];
  const box = boxOf(data);
  return { width: across * (box.width + gap[0]) - gap[0] + 8, height: along * (box.height + gap[1]) - gap[1] + 8 };
}

function centre([layer, row], upright, box) {
  const [across, down] = upright ? [row, layer] : [layer, row];
  const gap = upright ? [GAP.row, GAP.layer] : [GAP.layer, GAP.row + 8];
  return [4 + box.width / 2 + across * (box.width + gap[0]), 4 + box.height / 2 + down * (box.height + gap[1])];
}

function route(edge, places, upright, box) {
  const [half, flat] = [box.width / 2, box.height / 2];
  const from = centre(places.get(edge.from), upright, box);
  const to = centre(places.get(edge.to), upright, box);
  const shift = edge.twin ? (edge.position ? 14 : -14) : 0;
  const start = upright ? [from[0] + shift, from[1] + flat] : [from[0] + half, from[1] + shift];
  const end = upright ? [to[0] + shift, to[1] - flat - 5] : [to[0] - half - 5, to[1] + shift];
  const points = [start, ...edge.bends.map((bend) => centre(bend, upright, box)), end];
  let path = `M${start.join(" ")}`;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const mid = upright ? (a[1] + b[1]) / 2 : (a[0] + b[0]) / 2;
    path += upright ? `C${a[0]} ${mid} ${b[0]} ${mid} ${b.join(" ")}` : `C${mid} ${a[1]} ${mid} ${b[1]} ${b.join(" ")}`;
  }
  return { path, label: near(points[points.length - 2], end, upright) };
}

// A point past the middle of the last bend, where edges that cross have parted again.
function near([ax, ay], [bx, by], upright) {
  const t = 0.68;
  const ease = 3 * t * t - 2 * t * t * t;
  const middle = (a, b) => a + (b - a) * (1.5 * t * (1 - t) + t * t * t);
  const bend = (a, b) => a + (b - a) * ease;
  return upright ? [bend(ax, bx), middle(ay, by)] : [middle(ax, bx), bend(ay, by)];
}

// --- drawing ------------------------------------------------------------------------------------

function build(root, data, upright, colour) {
  const bar = html("div", { class: "row walker", role: "group", "aria-label": "Walk through the graph" }, root);
  const words = html("div", { class: "words", "aria-live": "polite" }, root);
  const frame = html("div", { class: "pictures scroll", tabindex: 0, role: "region", "aria-label": "Computation graph" }, root);
  const size = needs(data, upright);
  const svg = draw_svg(
    "svg",
    { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, role: "img",
      "font-size": 14, fill: colour.ink, style: "flex: none; height: auto" },
    frame,
  );
  arrow(svg, colour);
  const places = new Map(data.nodes.map((node) => [node.id, node.place]));
  const edges = data.edges.map((edge) => buildEdge(svg, edge, { places, upright, box: boxOf(data), colour }));
  const nodes = new Map(data.nodes.map((node) => [node.id, buildNode(svg, node, data, upright, colour)]));
  for (const edge of edges) svg.append(edge.text);
  saveButtons(root, () => ["graph", [[svg]]]);
  const walker = walking(bar, words, nodes, edges, data);
  const fillIn = (now, values) => {
    walker.values = values;
    for (const node of now.nodes) fillNode(nodes.get(node.id), node, values);
    now.edges.forEach((edge, i) => (edges[i].text.textContent = fill(edge.local, values)));
    svg.setAttribute("aria-label", fill(now.alt, values));
  };
  return { svg, walker, fillIn };
}

function arrow(svg, colour) {
  const marker = draw_svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 4, refY: 4, markerWidth: 10, markerHeight: 10,
      markerUnits: "userSpaceOnUse", orient: "auto" },
    draw_svg("defs", {}, svg));
  draw_svg("path", { d: "M0 0L8 4L0 8z", fill: colour.quiet }, marker);
}

function buildEdge(svg, edge, { places, upright, box, colour }) {
  const { path, label } = route(edge, places, upright, box);
  const line = draw_svg("path", { d: path, fill: "none", stroke: colour.quiet, "stroke-width": 1.5, "marker-end": "url(#tip)" }, svg);
  const text = draw_svg("text", { x: label[0], y: label[1] + 4, "text-anchor": "middle", fill: colour.gradient, "font-size": 13,
    stroke: colour.background, "stroke-width": 5, "paint-order": "stroke" });
  return { line, text, key: `${edge.to}.${edge.position}`, colour };
}

function buildNode(svg, node, data, upright, colour) {
  const box = boxOf(data);
  const [x, y] = centre(node.place, upright, box);
  const group = draw_svg("g", {}, svg);
  const stroke = node.id === data.result ? colour.loss : node.leaf ? colour.input : colour.activation;
  const title = draw_svg("title", {}, group);
  const outline = draw_svg("rect", { x: x - box.width / 2, y: y - box.height / 2, ...box, rx: 8,
    fill: colour.background, stroke, "stroke-width": 1.5 }, group);
  const line = (dy, fill, weight) =>
    draw_svg("text", { x, y: y + dy, "text-anchor": "middle", fill, "font-weight": weight }, group);
  const name = line(-15, stroke, 600);
  name.textContent = fit(node.formula ? `${node.name} = ${node.formula}` : `${node.name}${node.shape ? `: ${node.shape}` : ""}`, letters(box));
  return { outline, title, most: letters(box), value: line(5, colour.ink, 600), gradient: line(25, colour.gradient, 600), group, seen: {} };
}

const fit = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const letters = (box) => Math.floor(box.width / 7.2);

function fillNode(parts, node, values) {
  parts.value.textContent = fit(fill(node.value, values), parts.most);
  parts.gradient.textContent = fit(`∂ ${fill(node.gradient, values)}`, parts.most);
  parts.title.textContent = fill(node.whole, values);
}

// --- walking ------------------------------------------------------------------------------------

function walking(bar, words, nodes, edges, data) {
  const walker = { at: 0, timer: null, tell: () => {}, values: null, steps: data.steps };
  const button = (label, title, press) => {
    const node = html("button", { type: "button", title }, bar, label);
    node.onclick = press;
    return node;
  };
  const first = button("Reset", "Forget every number", () => walker.go(0));
  const back = button("◀ Back", "One step back", () => walker.go(walker.at - 1));
  const next = button("Step ▶", "One step: forward through the values, then backward through the gradients", () => walker.go(walker.at + 1));
  const play = button("Play", "Play the remaining steps", () => (walker.timer ? walker.pause() : walker.play()));
  const last = button("End", "Show every number", () => walker.go(walker.steps.length));
  const count = html("span", { class: "count" }, bar);

  walker.take = (now) => {
    walker.steps = now.steps;
    if (isNews(walker, now.at)) walker.at = now.at < 0 ? now.steps.length : Math.min(now.at, now.steps.length);
  };
  walker.go = (at, quietly = false) => {
    if (!quietly) walker.pause();
    walker.at = Math.min(Math.max(at, 0), walker.steps.length);
    walker.show();
    if (!quietly) report();
  };
  const report = () => {
    const at = walker.at === walker.steps.length ? -1 : walker.at;
    walker.told.push(at);
    walker.tell(at);
  };
  walker.play = () => {
    if (walker.at === walker.steps.length) walker.go(0, true);
    walker.timer = setInterval(() => {
      walker.go(walker.at + 1, true);
      if (walker.at === walker.steps.length) walker.pause();
    }, 900);
    walker.show();
  };
  walker.stop = () => {
    clearInterval(walker.timer);
    walker.timer = null;
  };
  walker.pause = () => {
    if (!walker.timer) return;
    walker.stop();
    walker.show();
    report();
  };
  walker.show = () => {
    const end = walker.at === walker.steps.length;
    reveal(walker, nodes, edges);
    first.disabled = back.disabled = walker.at === 0;
    next.disabled = last.disabled = end;
    play.textContent = walker.timer ? "Pause" : "Play";
    const step = walker.steps[walker.at - 1];
    count.textContent = `${walker.at} of ${walker.steps.length}${step ? ` · ${step.kind}` : ""}`;
    words.className = `words line ${step?.kind === "backward" ? "gradient" : "activation"}`;
    words.textContent = step ? fill(step.text, walker.values) : "Nothing is computed yet. Step forward: values first, then gradients.";
  };
  return walker;
}

function reveal(walker, nodes, edges) {
  const seen = { forward: new Set(), backward: new Set() };
  walker.steps.slice(0, walker.at).forEach((step) => step.nodes.forEach((node) => seen[step.kind].add(node)));
  const now = walker.at === walker.steps.length && !walker.timer ? null : walker.steps[walker.at - 1];
  for (const [id, parts] of nodes) {
    parts.value.style.visibility = seen.forward.has(id) ? "visible" : "hidden";
    parts.gradient.style.visibility = seen.backward.has(id) ? "visible" : "hidden";
    parts.outline.setAttribute("stroke-width", now?.nodes.includes(id) ? 4 : 1.5);
  }
  const active = new Set(now?.edges.map((edge) => edge.join(".")));
  for (const edge of edges) {
    const target = Number(edge.key.split(".")[0]);
    edge.text.style.visibility = seen.forward.has(target) ? "visible" : "hidden";
    edge.line.setAttribute("stroke", active.has(edge.key) ? edge.colour.gradient : edge.colour.quiet);
    edge.line.setAttribute("stroke-width", active.has(edge.key) ? 4 : 1.5);
  }
}

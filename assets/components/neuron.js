// One unit, drawn twice: as the diagram of the lecture, and as a sum that lands on the curve.
// Both stand on one z axis, so that the end of the sum points at its place on the activation.

const ROW = 26;
const PLOT = { left: 92, right: 424, curve: 190 };

export default function neuron({ data, parentElement }) {
  const shape = JSON.stringify([data.terms, data.curve, data.flat, data.symbol, isDark(parentElement)]);
  const [root, fresh] = stage(parentElement, shape);
  if (fresh) root.parts = build(root, data, colours(parentElement));
  const parts = root.parts;
  return follow(root, data, (values) => {
    diagram(parts.diagram, data, values);
    landing(parts.landing, data, values);
    parts.lines.forEach((line, i) => (line.textContent = fill(data.lines[i].text, values)));
    for (const svg of parts.svgs) svg.setAttribute("aria-label", fill(data.alt, values));
  });
}

function build(root, data, colour) {
  const pictures = html("div", { class: "pictures" }, root);
  const diagramParts = buildDiagram(pictures, data, colour);
  const landingParts = buildLanding(pictures, data, colour);
  const list = html("div", { class: "lines" }, root);
  const lines = data.lines.map((line) => html("div", { class: `line ${line.role}` }, list));
  return {
    diagram: diagramParts,
    landing: landingParts,
    lines,
    svgs: [diagramParts.svg, landingParts.svg],
  };
}

function canvas(parent, width, height, colour) {
  return draw_svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "font-size": 13, fill: colour.ink },
    parent,
  );
}

// --- the lecture's diagram ------------------------------------------------------------------

function buildDiagram(parent, data, colour) {
  const step = data.terms.length > 6 ? 42 : 54;
  const height = Math.max(step * data.terms.length + 40, 200);
  const svg = canvas(parent, 350, height, colour);
  const middle = height / 2;
  const rows = data.terms.map((term, i) => diagramRow(svg, term, 30 + step * (i + 0.5), middle, colour));
  const sum = node(svg, 226, middle, 31, colour.score, "Σ");
  draw_svg("path", { d: `M257 ${middle}h20`, stroke: colour.quiet, "stroke-width": 2 }, svg);
  const bend = node(svg, 306, middle, 29, colour.activation, data.symbol);
  draw_svg("text", { x: 226, y: middle + 52, "text-anchor": "middle", fill: colour.score }, svg, "z");
  draw_svg("text", { x: 306, y: middle + 52, "text-anchor": "middle", fill: colour.activation }, svg, "y");
  return { svg, rows, sum, bend };
}

function diagramRow(svg, term, y, middle, colour) {
  const edge = draw_svg("path", { d: `M66 ${y}L199 ${middle}`, fill: "none", "stroke-linecap": "round" }, svg);
  const input = node(svg, 44, y, 20, term.bias ? colour.quiet : colour.input, term.input);
  const at = { x: 66 + 133 * 0.36, y: y + (middle - y) * 0.36 };
  const weight = draw_svg(
    "text",
    { x: at.x, y: at.y + 4, "text-anchor": "middle", fill: colour.weight, stroke: colour.background,
      "stroke-width": 5, "paint-order": "stroke", "font-weight": 600 },
    svg,
  );
  return { edge, input, weight, colour };
}

function node(svg, x, y, radius, stroke, label) {
  draw_svg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke, "stroke-width": 2 }, svg);
  draw_svg("text", { x, y: y - radius * 0.18, "text-anchor": "middle", fill: stroke, "font-size": 12 }, svg, label);
  return draw_svg("text", { x, y: y + radius * 0.52, "text-anchor": "middle", "font-weight": 600 }, svg);
}

function diagram({ rows, sum, bend }, data, values) {
  rows.forEach((row, i) => {
    const term = data.terms[i];
    const weight = values(term.weight);
    row.weight.textContent = `${term.weightLabel} ${significant(weight)}`;
    row.input.textContent = term.bias ? "1" : significant(values(term.input_slot));
    row.edge.setAttribute("stroke", row.colour.weight);
    row.edge.setAttribute("stroke-opacity", 0.75);
    row.edge.setAttribute("stroke-width", Math.min(1 + 2.2 * Math.abs(weight), 10));
    row.edge.setAttribute("stroke-dasharray", weight < 0 ? "2 12" : "none");
  });
  sum.textContent = significant(values("z"));
  bend.textContent = significant(values("y"));
}

// --- the sum, landing on the curve ------------------------------------------------------------

const across = (data, z) => {
  const share = (z + data.reach) / (2 * data.reach);
  return PLOT.left + (PLOT.right - PLOT.left) * Math.min(Math.max(share, 0), 1);
};

function down(data, y) {
  const share = (y - data.low) / (data.high - data.low);
  return data.top + PLOT.curve * (1 - Math.min(Math.max(share, -0.02), 1.02));
}

function buildLanding(parent, data, colour) {
  const top = ROW * data.terms.length + 58;
  const svg = canvas(parent, 440, top + PLOT.curve + 44, colour);
  const plot = { ...data, top };
  frame(svg, plot, colour);
  const rows = data.terms.map((term, i) => landingRow(svg, term, 20 + ROW * i, colour));
  const total = draw_svg("text", { x: 4, y: 20 + ROW * data.terms.length + 13, fill: colour.score, "font-weight": 600 }, svg);
  const guide = draw_svg("path", { fill: "none", stroke: colour.score, "stroke-width": 1.5, "stroke-dasharray": "4 4" }, svg);
  const tangent = draw_svg("path", { stroke: colour.gradient, "stroke-width": 3, "stroke-linecap": "round" }, svg);
  const point = draw_svg("circle", { r: 7, fill: colour.activation, stroke: colour.background, "stroke-width": 2 }, svg);
  const outcome = label(svg, colour.activation, colour, "start");
  const slope = label(svg, colour.gradient, colour, "start");
  return { svg, rows, total, guide, tangent, point, outcome, slope, plot };
}

function label(svg, fill, colour, anchor) {
  return draw_svg(
    "text",
    { fill, "text-anchor": anchor, "font-weight": 600, stroke: colour.background, "stroke-width": 5, "paint-order": "stroke" },
    svg,
  );
}

function frame(svg, plot, colour) {
  const bottom = plot.top + PLOT.curve;
  for (const [from, to] of plot.flat) {
    const x = across(plot, from);
    draw_svg("rect", { x, y: plot.top, width: across(plot, to) - x, height: PLOT.curve, fill: colour.gradient, opacity: 0.09 }, svg);
  }
  for (const tick of plot.ticks) {
    const x = across(plot, tick);
    draw_svg("path", { d: `M${x} 14V${bottom}`, stroke: colour.quiet, "stroke-opacity": tick === 0 ? 0.8 : 0.22 }, svg);
    draw_svg("text", { x, y: bottom + 17, "text-anchor": "middle", fill: colour.quiet }, svg, significant(tick));
  }
  for (const tick of plot.levels) {
    const y = down(plot, tick);
    draw_svg("path", { d: `M${PLOT.left} ${y}H${PLOT.right}`, stroke: colour.quiet, "stroke-opacity": 0.22 }, svg);
    draw_svg("text", { x: PLOT.left - 8, y: y + 4, "text-anchor": "end", fill: colour.quiet }, svg, significant(tick));
  }
  const middle = (PLOT.left + PLOT.right) / 2;
  draw_svg("text", { x: middle, y: bottom + 36, "text-anchor": "middle", fill: colour.score }, svg, "pre-activation z");
  draw_svg("text", { x: 14, y: plot.top + PLOT.curve / 2, "text-anchor": "middle", fill: colour.activation,
    transform: `rotate(-90 14 ${plot.top + PLOT.curve / 2})` }, svg, `output y = ${plot.symbol}(z)`);
  const path = plot.curve.map(([z, y], i) => `${i ? "L" : "M"}${across(plot, z)} ${down(plot, y)}`).join("");
  draw_svg("path", { d: path, fill: "none", stroke: colour.activation, "stroke-width": 2.5 }, svg);
}

function landingRow(svg, term, y, colour) {
  const role = term.bias ? colour.weight : colour.input;
  draw_svg("text", { x: 4, y: y + 13, fill: role }, svg, term.label);
  const bar = draw_svg("rect", { y, height: ROW - 8, fill: role, "fill-opacity": 0.85, rx: 2 }, svg);
  const link = draw_svg("path", { stroke: colour.quiet, "stroke-width": 1 }, svg);
  return { bar, link, y, text: label(svg, role, colour, "start") };
}

function landing(parts, data, values) {
  const { plot, rows } = parts;
  let from = 0;
  rows.forEach((row, i) => {
    const to = values(data.terms[i].sum);
    const [left, right] = [across(plot, Math.min(from, to)), across(plot, Math.max(from, to))];
    row.bar.setAttribute("x", left);
    row.bar.setAttribute("width", Math.max(right - left, 1.5));
    row.link.setAttribute("d", `M${across(plot, to)} ${row.y + ROW - 8}v8`);
    const beside = right + 6 > PLOT.right - 50;
    row.text.setAttribute("x", beside ? left - 6 : right + 6);
    row.text.setAttribute("text-anchor", beside ? "end" : "start");
    row.text.setAttribute("y", row.y + 13);
    row.text.textContent = significant(values(data.terms[i].product));
    from = to;
  });
  parts.total.textContent = `z = ${significant(values("z"))}${Math.abs(values("z")) > plot.reach ? " (off the axis)" : ""}`;
  mark(parts, plot, values);
}

function mark(parts, plot, values) {
  const [x, y] = [across(plot, values("z")), down(plot, values("y"))];
  const start = 20 + ROW * (parts.rows.length - 1) + ROW - 8;
  parts.guide.setAttribute("d", `M${x} ${start}V${y}H${PLOT.left}`);
  parts.point.setAttribute("cx", x);
  parts.point.setAttribute("cy", y);
  const ends = ["before", "after"].map((end) => [across(plot, values(`z_${end}`)), down(plot, values(`y_${end}`))]);
  parts.tangent.setAttribute("d", `M${ends[0].join(" ")}L${ends[1].join(" ")}`);
  const side = x > (PLOT.left + PLOT.right) / 2;
  for (const [text, string, dy] of [
    [parts.outcome, `y = ${significant(values("y"))}`, -14],
    [parts.slope, `slope dy/dz = ${significant(values("slope"))}`, 26],
  ]) {
    text.setAttribute("text-anchor", side ? "end" : "start");
    text.setAttribute("x", x + (side ? -12 : 12));
    text.setAttribute("y", Math.min(Math.max(y + dy, plot.top + 14), plot.top + PLOT.curve - 6));
    text.textContent = string;
  }
}

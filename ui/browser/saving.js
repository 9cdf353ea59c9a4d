// Saves a picture as SVG or PNG, with its sentence and its formula, and numbers as CSV.

import { drawSvg, html } from "./dom.js";
import { textWidth } from "./pen.js";

// Two buttons; choose() gives the name of the file and the pictures, each a list of <svg> layers.
export function saveButtons(parent, choose) {
  const row = html("div", { class: "row save" }, parent);
  for (const kind of ["SVG", "PNG"]) {
    const button = html("button", { type: "button", title: `Save the picture as ${kind}` }, row, kind);
    button.onclick = () => download(kind, ...choose(), parent);
  }
}

async function download(kind, name, groups, element) {
  await keep(kind, name, compose(groups, element));
}

async function keep(kind, name, picture) {
  const source = new XMLSerializer().serializeToString(picture);
  let blob = new Blob([source], { type: "image/svg+xml" });
  if (kind === "PNG") blob = await rasterise(blob, picture);
  hand(blob, `${name}.${kind.toLowerCase()}`);
}

export function hand(blob, name) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A button; choose() gives the name of the file, the column titles and the rows.
export function saveTable(parent, choose) {
  const button = html(
    "button",
    { type: "button", title: "Save the table as CSV" },
    html("div", { class: "row save" }, parent),
    "CSV",
  );
  button.onclick = () => saveRows(...choose());
}

function saveRows(name, columns, rows) {
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
  const text = [columns, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n");
  hand(new Blob([text], { type: "text/csv" }), `${name}.csv`);
}

/** Save the main picture of the page, or the numbers that it shows. */
export function savePicture(kind, its, figure) {
  const { data, goal, svg, colour } = its;
  if (kind === "CSV") {
    const rows = data.names
      .map((name, i) => [name, String(goal[i])])
      .filter(([name]) => !name.startsWith("@") && !data.hidden.includes(name));
    return saveRows(data.group, ["name", "value"], rows);
  }
  return keep(kind, data.group, framed(svg, figure, colour));
}

// The picture below its sentence and above its formula, as on the page.
function framed(svg, figure, colour) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const lines = [...figure.querySelectorAll(".said, .formula")].map((row) =>
    [...row.querySelectorAll(".rich")].map((part) => part.textContent).join("    "),
  );
  const rows = lines.map((text) => wrap(text, width - 40));
  const above = 16 + 26 * rows[0].length;
  const whole = above + height + 16 + 26 * (rows[1] ?? []).length;
  const picture = drawSvg("svg", {
    width,
    height: whole,
    viewBox: `0 0 ${width} ${whole}`,
    "font-family": getComputedStyle(figure).fontFamily,
    fill: colour.ink,
  });
  drawSvg("rect", { width, height: whole, fill: colour.background }, picture);
  const say = (texts, top) =>
    texts.forEach((text, i) => drawSvg("text", { x: 20, y: top + 26 * (i + 1), "font-size": 18 }, picture, text));
  say(rows[0], 0);
  say(rows[1] ?? [], above + height);
  const copy = withImages(svg, svg.cloneNode(true));
  copy.querySelectorAll(".beads").forEach((beads) => beads.remove());
  for (const [name, value] of Object.entries({ x: 0, y: above, width, height })) copy.setAttribute(name, value);
  picture.append(copy);
  return picture;
}

// A canvas in the drawing is not copied with what is painted on it: an image takes its place.
function withImages(svg, copy) {
  const places = [...copy.querySelectorAll("foreignObject")];
  [...svg.querySelectorAll("foreignObject")].forEach((frame, i) => {
    const canvas = frame.querySelector("canvas");
    const size = Object.fromEntries(["x", "y", "width", "height"].map((name) => [name, frame.getAttribute(name)]));
    if (canvas) places[i].replaceWith(drawSvg("image", { ...size, href: canvas.toDataURL() }));
  });
  return copy;
}

function wrap(text, room) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (textWidth(longer, 18) > room && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function compose(groups, element) {
  const boxes = groups.map(([svg]) => svg.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left);
  const height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top);
  const picture = drawSvg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const style = getComputedStyle(element);
  picture.setAttribute("font-family", style.fontFamily);
  drawSvg("rect", { width, height, fill: style.getPropertyValue("--st-background-color") || "#ffffff" }, picture);
  groups.forEach((layers, i) => {
    for (const layer of layers) {
      const copy = layer.cloneNode(true);
      copy.removeAttribute("style");
      for (const [name, value] of Object.entries({
        x: boxes[i].left - left,
        y: boxes[i].top - top,
        width: boxes[i].width,
        height: boxes[i].height,
      }))
        copy.setAttribute(name, value);
      picture.append(copy);
    }
  });
  return picture;
}

async function rasterise(blob, picture) {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = 2;
  const canvas = document.createElement("canvas");
  canvas.width = scale * picture.getAttribute("width");
  canvas.height = scale * picture.getAttribute("height");
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

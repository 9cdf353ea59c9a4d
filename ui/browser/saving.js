// Buttons that save a picture as SVG or PNG, and a table as CSV.

import { drawSvg, html } from "./dom.js";

// Two buttons; choose() gives the name of the file and the pictures, each a list of <svg> layers.
export function saveButtons(parent, choose) {
  const row = html("div", { class: "row save" }, parent);
  for (const kind of ["SVG", "PNG"]) {
    const button = html("button", { type: "button", title: `Save the picture as ${kind}` }, row, kind);
    button.onclick = () => download(kind, ...choose(), parent);
  }
}

async function download(kind, name, groups, element) {
  const picture = compose(groups, element);
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
  const button = html("button", { type: "button", title: "Save the table as CSV" }, html("div", { class: "row save" }, parent), "CSV");
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
  button.onclick = () => {
    const [name, columns, rows] = choose();
    const text = [columns, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n");
    hand(new Blob([text], { type: "text/csv" }), `${name}.csv`);
  };
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
        x: boxes[i].left - left, y: boxes[i].top - top, width: boxes[i].width, height: boxes[i].height,
      })) copy.setAttribute(name, value);
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

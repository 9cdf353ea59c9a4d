// Save the picture of a container as SVG or PNG: its own <svg>s, in components and Plotly alike.

export default function save({ data, parentElement }) {
  const [root, fresh] = stage(parentElement, data.container);
  root.data = data;
  if (!fresh) return;
  const row = html("div", { class: "row" }, root);
  for (const kind of ["SVG", "PNG"]) {
    const button = html("button", { type: "button", title: `Save the picture as ${kind}` }, row, kind);
    button.onclick = () => download(root.data, kind, parentElement);
  }
}

async function download({ container, name }, kind, element) {
  const picture = compose(find(container), element);
  const source = new XMLSerializer().serializeToString(picture);
  let blob = new Blob([source], { type: "image/svg+xml" });
  if (kind === "PNG") blob = await rasterise(blob, picture);
  const link = html("a", { href: URL.createObjectURL(blob), download: `${name}.${kind.toLowerCase()}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Every <svg> of the container that is a picture: Plotly layers several over each other.
function find(container) {
  const place = document.querySelector(`.st-key-${container}`);
  const plot = place.querySelector(".js-plotly-plot");
  if (plot) return [[...plot.querySelectorAll(".main-svg")]];
  const hosts = [...place.querySelectorAll("*")].filter((node) => node.shadowRoot);
  return hosts.flatMap((host) => [...host.shadowRoot.querySelectorAll(".pictures svg")]).map((svg) => [svg]);
}

function compose(groups, element) {
  const boxes = groups.map(([svg]) => svg.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left);
  const height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top);
  const picture = draw_svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const style = getComputedStyle(element.host ?? element);
  picture.setAttribute("font-family", style.fontFamily);
  draw_svg("rect", { width, height, fill: style.getPropertyValue("--st-background-color") || "#ffffff" }, picture);
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

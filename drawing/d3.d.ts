// The types of d3.js, which build_d3.mjs writes.

export { scaleLinear, scaleLog } from "d3-scale";
export { curveBumpX, curveBumpY, line } from "d3-shape";

// Canvases as sharp as the screen.

import { magnified } from "../../ui/browser/dom.js";

export const sharpness = () => magnified() * Math.min(devicePixelRatio || 1, 2);
let family = "sans-serif";
export function useFontOf(element) {
  family = getComputedStyle(element).fontFamily || family;
}
export const font = (size, weight = 400) => `${weight} ${size}px ${family}`;

export function fit(canvas, width, height) {
  const sharp = sharpness();
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  canvas.style.width = `${magnified() * width}px`;
  canvas.style.height = `${magnified() * height}px`;
}

export function clear(pen, canvas) {
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const sharp = sharpness();
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
}

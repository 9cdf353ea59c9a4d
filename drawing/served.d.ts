// What ui/components.py serves as served.js: the palette of drawing.theme and style.css.

import type { Mode, Palette } from "./types.js";

export const PALETTE: Record<Mode, Palette>;
export const STYLE: string;

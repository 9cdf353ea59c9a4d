// The scale of the losses, and how a text is broken into lines.

const LEAST = 1e-8;

/**
 * The ends of a logarithmic scale with every loss on it, powers of ten apart; null is left out.
 *
 * @param {ArrayLike<number | null>[]} curves @returns {[number, number]}
 */
export function lossEnds(curves) {
  const all = curves
    .flatMap((curve) => Array.from(curve))
    .filter((loss) => loss !== null)
    .filter((loss) => Number.isFinite(loss) && loss > 0);
  const low = Math.max(Math.min(0.1, ...all), LEAST);
  return [10 ** Math.floor(Math.log10(low) - 0.4), Math.max(10, ...all)];
}

/**
 * A text in lines of at most `room`.
 *
 * @param {string} text @param {number} room @param {(part: string) => number} widthOf
 */
export function wrapText(text, room, widthOf) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines[lines.length - 1]} ${word}`.trimStart();
    if (widthOf(longer) > room && lines[lines.length - 1]) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

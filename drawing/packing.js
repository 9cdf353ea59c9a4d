// Reads the data of a component.

/**
 * The data of any component; `keys` names the entries that are kept in the browser (kept.js).
 *
 * @typedef {{ keys?: Record<string, [of: string, key: string]>, [name: string]: unknown }} Packed
 */

/**
 * Reads what drawing.live.pack wrote: JSON, followed by the numbers that it refers to.
 *
 * @param {Uint8Array} bytes @returns {Packed}
 */
export function unpack(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const numbers = new Float64Array(bytes.slice(4 + length).buffer);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + length));
  return JSON.parse(text, (_, value) => {
    if (Array.isArray(value?.bytes)) return new Uint8Array(numbers.buffer, ...value.bytes);
    if (!Array.isArray(value?.at)) return value;
    const [start, count] = value.at;
    return numbers.subarray(start, start + count);
  });
}

/**
 * Consecutive pieces of bytes as one array of float32.
 *
 * @param {Uint8Array[]} parts
 */
export function floats(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Float32Array(bytes.buffer);
}

// Reads the data of a component.

// What ui.live.pack wrote: JSON, and after it the numbers that it points at.
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

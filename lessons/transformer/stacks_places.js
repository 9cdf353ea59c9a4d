// Where the stack of encoders and the stack of decoders stand: a block is as wide as its weights are many.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"stacks">} StacksScene */
/** @typedef {ReturnType<typeof placesOf>} StacksPlaces */
/** @typedef {StacksPlaces["stacks"][number]} Stack */
/** @typedef {{ name: string, role: "weight" | "score" | "activation", x: number, wide: number }} Part */

const MOST = 46; // the height of a block

/** @param {Pick<StacksScene, "width" | "height" | "narrow" | "values" | "hidden">} scene */
export function placesOf({ width, height, narrow, values, hidden }) {
  const asked = hidden("decoder"); // then a decoder is drawn as wide as an encoder, without its parts
  const N = Math.max(values("N"), 1);
  const [top, foot] = narrow ? [64, height - 34] : [58, height - 40];
  const names = narrow ? 4 : 130; // beside the blocks
  const gap = narrow ? 34 : 110; // for m
  const unit = (width - 2 * names - gap - 12) / (values("encoder") + values(asked ? "encoder" : "decoder"));
  const pitch = Math.min((foot - top) / N, narrow ? 60 : MOST + 8);
  const head = foot - N * pitch;
  const first = names + 4;
  /** @param {number} x @param {boolean} crosses @returns {Part[]} */
  const partsAt = (x, crosses) => {
    const own = { name: "self-attention", role: /** @type {const} */ ("weight"), x, wide: values("attention") * unit };
    const cross = {
      name: "cross-attention",
      role: /** @type {const} */ ("score"),
      x: own.x + own.wide,
      wide: crosses ? values("cross") * unit : 0,
    };
    const mlp = {
      name: "MLP",
      role: /** @type {const} */ ("activation"),
      x: cross.x + cross.wide,
      wide: values("mlp") * unit,
    };
    return crosses ? [own, cross, mlp] : [own, mlp];
  };
  const second = first + values("encoder") * unit + gap;
  /** @type {Part[]} */
  const unknown = [{ name: "?", role: "weight", x: second, wide: values("encoder") * unit }];
  const stacks = [
    { name: "Encoder", x: first, wide: values("encoder") * unit, parts: partsAt(first, false) },
    asked
      ? { name: "Decoder", x: second, wide: values("encoder") * unit, parts: unknown }
      : { name: "Decoder", x: second, wide: values("decoder") * unit, parts: partsAt(second, true) },
  ];
  return { N, top, foot, head, pitch, high: pitch - (narrow ? 4 : 8), stacks, gap, narrow };
}

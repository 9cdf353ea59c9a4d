// Self-attention as matrices, with the row of one word lit: from X to Q, K and V, or from these to Z.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawMade } from "./matrices_made.js";
import { drawMixed } from "./matrices_mixed.js";
import { drawMixedNarrow } from "./matrices_narrow.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { MatricesScene } from "./matrices_cells.js" */

/** @param {Component<Scripts["matrices"]>} component */
export default function matrices(component) {
  return mainPicture(component, (pen, /** @type {MatricesScene} */ scene) => {
    if (scene.data.stage === "qkv") drawMade(pen, scene);
    else (scene.narrow ? drawMixedNarrow : drawMixed)(pen, scene);
  });
}

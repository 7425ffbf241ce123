/**
 * The families with a picture of their own; this object is the only registration. A module exports
 *
 * - `draw(result, body, further)`: what shows the result of a request; `further(body)` asks the same model for more;
 * and, where it helps,
 * - `preset`: values the form begins with beside the example's;
 * - `ranges`: ends of the slider for a field whose own bounds are too wide for one;
 * - `live`: whether a change is sent at once;
 * - `settle(body, name)`: the body as it makes sense after the field `name` was changed.
 */

import * as generators from "./generators.js";
import * as graphVectors from "./graph_vectors.js";
import * as taggers from "./taggers.js";
import * as translators from "./translators.js";
import * as wordVectors from "./word_vectors.js";

const PICTURES = {
  taggers,
  translators,
  word_vectors: wordVectors,
  graph_vectors: graphVectors,
  generators,
};

/** The module of a family, empty for one without a picture. */
export function pictureOf(family) {
  return PICTURES[family.replaceAll(" ", "_")] ?? {};
}

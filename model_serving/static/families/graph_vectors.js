/** Nodes drawn as words are: neighbours as bars, vectors in the plane, the score of a link as a bar. */

import * as words from "./word_vectors.js";

const MOST = 200; // nodes in the plane

/** Where the items of each action stand. */
const FIELDS = { vectors: "nodes", neighbors: "nodes", links: "pairs" };

/** Another action reads another field: it begins with the nodes that stood in the one before. */
export function settle(body, name) {
  const wanted = FIELDS[body.action];
  if (name !== "action" || !wanted || wanted in body) return body;
  const { nodes, pairs, ...rest } = body;
  const found = [...new Set([nodes ?? [], pairs ?? []].flat(3))];
  if (found.length === 0) return rest;
  return { ...rest, [wanted]: wanted === "nodes" ? found : linked(found) };
}

export function draw(result, body, further) {
  const { action, nodes, pairs, top, ...graph } = body;
  const vectors = async (asked) => {
    const answer = await further({ ...graph, action: "vectors", nodes: asked.words });
    return [answer].flat().map(named);
  };
  return words.draw([result].flat().slice(0, MOST).map(named), body, vectors);
}

/** The first node with each of the others. */
function linked([first, ...others]) {
  return others.length > 0 ? others.map((other) => [first, other]) : [first, first];
}

/** An answer about nodes in the words of one about words. */
function named({ node, nodes, neighbors, ...rest }) {
  const called = node === undefined ? { words: nodes } : { word: node };
  return neighbors ? { ...called, ...rest, neighbors: neighbors.map(named) } : { ...called, ...rest };
}

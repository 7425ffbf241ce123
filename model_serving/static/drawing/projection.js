/** Vectors in the plane: their two principal components. */

const ROUNDS = 200;

/**
 * @param {number[][]} vectors of one length
 * @returns {number[][]} two coordinates for each vector, along the directions in which they differ most
 */
export function project(vectors) {
  const mean = vectors[0].map((_, column) => vectors.reduce((sum, row) => sum + row[column], 0) / vectors.length);
  const centred = vectors.map((row) => row.map((value, column) => value - mean[column]));
  const first = component(centred);
  const rest = centred.map((row) => minus(row, first, dot(row, first)));
  const second = component(rest);
  return centred.map((row) => [dot(row, first), dot(row, second)]);
}

/** The direction of most variance, by power iteration from the longest row; its largest entry is positive. */
function component(rows) {
  let direction = unit(rows.reduce((longest, row) => (dot(row, row) > dot(longest, longest) ? row : longest)));
  for (let round = 0; round < ROUNDS; round++) {
    const weights = rows.map((row) => dot(row, direction));
    direction = unit(
      direction.map((_, column) => rows.reduce((sum, row, place) => sum + weights[place] * row[column], 0)),
    );
  }
  const largest = direction.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? direction.map((value) => -value) : direction;
}

function dot(left, right) {
  return left.reduce((sum, value, place) => sum + value * right[place], 0);
}

function minus(row, direction, length) {
  return row.map((value, place) => value - length * direction[place]);
}

function unit(row) {
  const length = Math.sqrt(dot(row, row));
  return length > 1e-12 ? row.map((value) => value / length) : row.map(() => 0);
}

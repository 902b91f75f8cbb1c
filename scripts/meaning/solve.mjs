/** Linear algebra for the table, on typed arrays. Matrices are stored row by row. */

/** Vectors are integers in units of 1 / SCALE. */
const SCALE = 32767;

/**
 * Returns the vectors' mean and their first `count` principal axes in descending order; each axis
 * has a fixed sign.
 * @param {Int16Array} vectors rows of `width`
 * @returns {{mean: Float64Array, axes: Float64Array[]}}
 */
export function principalComponents(vectors, width, count) {
  const rows = vectors.length / width;
  const mean = new Float64Array(width);
  for (let at = 0; at < vectors.length; at++) mean[at % width] += vectors[at] / SCALE / rows;
  const covariance = Array.from({ length: width }, () => new Float64Array(width));
  const centred = new Float64Array(width);
  for (let row = 0; row < rows; row++) {
    for (let at = 0; at < width; at++) centred[at] = vectors[row * width + at] / SCALE - mean[at];
    for (let at = 0; at < width; at++) {
      const line = covariance[at];
      const value = centred[at] / rows;
      for (let other = at; other < width; other++) line[other] += value * centred[other];
    }
  }
  for (let at = 0; at < width; at++)
    for (let other = 0; other < at; other++) covariance[at][other] = covariance[other][at];
  const axes = eigenvectors(covariance).slice(0, count);
  for (const axis of axes)
    if (axis.reduce((sum, value) => sum + value, 0) < 0)
      axis.forEach((value, at) => (axis[at] = -value));
  return { mean, axes };
}

/**
 * Returns the eigenvectors in descending order of their eigenvalues, by Jacobi rotations (at most
 * 30 sweeps).
 */
function eigenvectors(matrix) {
  const size = matrix.length;
  const a = matrix.map((row) => Float64Array.from(row));
  // a row is an eigenvector
  const vectors = a.map((_, at) => Float64Array.from(a, (_, other) => (at === other ? 1 : 0)));
  const whole = a.reduce((sum, row) => row.reduce((part, value) => part + value * value, sum), 0);
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) off += a[p][q] ** 2;
    if (off < 1e-20 * whole) break;
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        if (Math.abs(a[p][q]) < 1e-18) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        rotate(a, vectors, p, q, c, t * c);
      }
    }
  }
  return vectors
    .map((vector, at) => ({ vector, value: a[at][at] }))
    .sort((one, other) => other.value - one.value)
    .map(({ vector }) => vector);
}

function rotate(a, vectors, p, q, c, s) {
  const size = a.length;
  for (let k = 0; k < size; k++) {
    const [kp, kq] = [a[k][p], a[k][q]];
    a[k][p] = c * kp - s * kq;
    a[k][q] = s * kp + c * kq;
  }
  for (const m of [a, vectors]) {
    const [rowP, rowQ] = [m[p], m[q]];
    for (let k = 0; k < size; k++) {
      const [pk, qk] = [rowP[k], rowQ[k]];
      rowP[k] = c * pk - s * qk;
      rowQ[k] = s * pk + c * qk;
    }
  }
}

/** Projects the vectors onto the components. */
export function project(vectors, width, { mean, axes }) {
  const rows = vectors.length / width;
  const projected = new Float32Array(rows * axes.length);
  const centred = new Float64Array(width);
  for (let row = 0; row < rows; row++) {
    for (let at = 0; at < width; at++) centred[at] = vectors[row * width + at] / SCALE - mean[at];
    for (const [index, axis] of axes.entries()) {
      let sum = 0;
      for (let at = 0; at < width; at++) sum += axis[at] * centred[at];
      projected[row * axes.length + index] = sum;
    }
  }
  return projected;
}

/**
 * Returns the table for which the weighted average of a text's pieces is closest to the text's
 * vector, with each row regularized towards its prior by `ridge`. Runs conjugate gradients on the
 * normal equations, for all columns at once.
 * @param {{starts: Int32Array, pieces: Int32Array, shares: Float32Array}} texts each text's pieces
 * and their shares of its average
 * @param {Float32Array} targets rows of `dimensions`, one per text
 * @param {Float32Array} prior rows of `dimensions`, one per piece
 */
export function solveTable(texts, targets, prior, { dimensions, ridge, rounds, tell }) {
  const table = Float32Array.from(prior);
  const diagonal = new Float64Array(prior.length / dimensions).fill(ridge);
  for (let at = 0; at < texts.pieces.length; at++)
    diagonal[texts.pieces[at]] += texts.shares[at] ** 2;

  const residual = accumulate(texts, targets, new Float32Array(prior.length), dimensions, table);
  const step = new Float32Array(prior.length);
  let before = new Float64Array(dimensions);
  for (let round = 0; round < rounds; round++) {
    const now = new Float64Array(dimensions);
    for (let at = 0; at < residual.length; at++)
      now[at % dimensions] += residual[at] ** 2 / diagonal[Math.floor(at / dimensions)];
    for (let at = 0; at < step.length; at++) {
      const column = at % dimensions;
      const kept = round === 0 ? 0 : now[column] / before[column];
      step[at] = residual[at] / diagonal[Math.floor(at / dimensions)] + kept * step[at];
    }
    const image = accumulate(texts, undefined, new Float32Array(prior.length), dimensions, step);
    for (let at = 0; at < image.length; at++) image[at] = -image[at] + ridge * step[at];
    const curvature = new Float64Array(dimensions);
    for (let at = 0; at < image.length; at++) curvature[at % dimensions] += step[at] * image[at];
    for (let at = 0; at < table.length; at++) {
      const column = at % dimensions;
      const length = now[column] / curvature[column];
      table[at] += length * step[at];
      residual[at] -= length * image[at];
    }
    before = now;
    tell(
      `round ${round + 1} of ${rounds}: ${Math.sqrt(now.reduce((sum, value) => sum + value, 0)).toExponential(2)}`,
    );
  }
  return table;
}

/**
 * Adds to `sums`, for each piece, its share of the residual between its texts' averages over
 * `table` and the targets (zero if omitted).
 */
function accumulate({ starts, pieces, shares }, targets, sums, dimensions, table) {
  const left = new Float64Array(dimensions);
  for (let text = 0; text + 1 < starts.length; text++) {
    for (let column = 0; column < dimensions; column++)
      left[column] = targets ? targets[text * dimensions + column] : 0;
    for (let at = starts[text]; at < starts[text + 1]; at++) {
      const row = pieces[at] * dimensions;
      const share = shares[at];
      for (let column = 0; column < dimensions; column++)
        left[column] -= share * table[row + column];
    }
    for (let at = starts[text]; at < starts[text + 1]; at++) {
      const row = pieces[at] * dimensions;
      const share = shares[at];
      for (let column = 0; column < dimensions; column++)
        sums[row + column] += share * left[column];
    }
  }
  return sums;
}

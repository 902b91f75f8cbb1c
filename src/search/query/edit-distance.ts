type Rows = [Uint8Array, Uint8Array, Uint8Array];

let rows: Rows = [new Uint8Array(80), new Uint8Array(80), new Uint8Array(80)];

/** Returns the optimal string alignment distance; if it is above `max`, any number above that. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  if (b.length >= rows[0].length) rows = rows.map(() => new Uint8Array(b.length * 2)) as Rows;
  let [before, last, row] = rows;
  for (let column = 0; column <= b.length; column++) last[column] = Math.min(255, column);
  for (let line = 1; line <= a.length; line++) {
    let min = Math.min(255, line);
    row[0] = min;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a.charCodeAt(line - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        last[column - 1]! + (isSame ? 0 : 1),
        last[column]! + 1,
        row[column - 1]! + 1,
      );
      const isSwap =
        line > 1 &&
        column > 1 &&
        a.charCodeAt(line - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(line - 2) === b.charCodeAt(column - 1);
      if (isSwap) cost = Math.min(cost, before[column - 2]! + 1);
      row[column] = cost;
      if (cost < min) min = cost;
    }
    if (min > max) return max + 1;
    [before, last, row] = [last, row, before];
  }
  return last[b.length]!;
}

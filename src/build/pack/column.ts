/** Fills a typed array item by item. `from` of typed arrays collects everything it is given in a list first. */
type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

export function fillColumn<Column extends Numbers>(column: Column, valueAt: (i: number) => number): Column {
  for (let i = 0; i < column.length; i++) column[i] = valueAt(i);
  return column;
}

/** 0, 1, 2, … */
export function countUp(length: number): Uint32Array {
  return fillColumn(new Uint32Array(length), (i) => i);
}

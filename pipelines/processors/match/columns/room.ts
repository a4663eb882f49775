type Numbers = Uint8Array | Uint32Array | Int32Array | Float64Array

/** The same numbers with room for so many: twice as much memory where it does not suffice. */
export function roomFor<Column extends Numbers>(column: Column, size: number): Column {
  if (size <= column.length) return column
  const larger = new (column.constructor as new (length: number) => Column)(Math.max(size, column.length * 2))
  larger.set(column)
  return larger
}

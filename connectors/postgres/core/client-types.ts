import pg from 'pg'

/** A count that leaves the exact range of numbers is a fault, not a rounding. */
function int8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of the exact range: ${text}`)
  return value
}

/** How columns are read, on either database: a column of 64 bits is a number. */
export function clientTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, int8)
  return types
}

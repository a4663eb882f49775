/**
 * Values of a column, in the order of the rows. The engine keeps a column of which nearly every value is the default one
 * as those that are not, and `groupArray` takes these first: the values of other columns would be those of other rows.
 * `materialize` gives it the whole column.
 */
export const inOrder = (sql: string): string => `groupArray(materialize(${sql}))`

/** A number of 64 bits that a double holds exactly, so that no text is made of it. */
export const exactInOrder = (sql: string): string => inOrder(`toFloat64(${sql})`)

/** Unix milliseconds of a column of times. */
export const timesInOrder = (column: string): string => exactInOrder(`toUnixTimestamp64Milli(${column})`)

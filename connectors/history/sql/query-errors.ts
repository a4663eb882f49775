/** What the codes of the history store say of a query. Each is a number as text: `code` of a ClickHouseError. */

/** The store stopped the query for what it took: memory, rows, or the size and depth of its text. */
const COSTS = new Set(['158', '160', '167', '168', '241', '306', '307', '396'])
const CANNOT_COMPILE_REGEXP = '427'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Whether an error of the store says that a query took more than it may. */
export const isTooExpensive = (error: unknown): boolean => COSTS.has(codeOf(error))

/** Whether an error of the store says that a pattern cannot be compiled. */
export const isBadPattern = (error: unknown): boolean => codeOf(error) === CANNOT_COMPILE_REGEXP

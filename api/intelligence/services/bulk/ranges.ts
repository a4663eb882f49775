import type { BulkRequest } from '../../../../connectors/postgres/intelligence/port.ts'

type Ranges = BulkRequest['limited']

/** The ranges of lines with one that stands after all of them: one that follows the last at once makes it longer. */
export function withRange(ranges: Readonly<Ranges>, [first, end]: Ranges[number]): Ranges {
  const last = ranges.at(-1)
  if (last === undefined || last[1] + 1 < first) return [...ranges, [first, end]]
  return [...ranges.slice(0, -1), [last[0], end]]
}

import { pointOf } from '../../../../schemas/intelligence/compare/points.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { NOTHING } from './line.ts'
import { meantItems, readMeanings } from './meanings.ts'

/** Reads the cells of one row. */
export type ParseRow = (cells: readonly string[], line: number) => readonly FeedItem[]

/**
 * The row reader of a column list such as `indicator,category,tag,-`: `indicator` is the main value, `tag` a tag,
 * `reputation` an integer -3..3 that overrides the feed's, `-` nothing, and any other name an attribute.
 * Cells beyond the list are ignored, where it has more than the indicator and none of them is an address that may be the
 * end of a range or a netmask (ADR 255).
 * @throws when the list is not of this form, naming the column.
 */
export function rowReader(list: string, isAttribute: (name: string) => boolean, options: FeedOptions): ParseRow {
  const names = list.split(',').map((name) => name.trim())
  const columns = readMeanings(names, list, isAttribute)
  const main = columns.indexOf('indicator')
  return (cells, line) => {
    const value = (cells[main] ?? '').trim()
    if (value === '' || value.startsWith('#')) return NOTHING
    const raw = (): string => cells.join('\t')
    if (cells.length > columns.length) {
      const why = beyond(value, cells.slice(columns.length), columns.length)
      if (why !== null) return [rejected(line, why, raw())]
    }
    return meantItems(line, value, columns, cells, raw, options)
  }
}

/** Why a row cannot be read without the cells that have no name; null when it can. */
function beyond(value: string, others: readonly string[], named: number): string | null {
  const filled = others.filter((cell) => cell.trim() !== '')
  if (named === 1 && filled.length > 0)
    return `the row has ${named + others.length} cells and --columns names one; name the others, or - to skip them`
  const end = pointOf(value) === null ? undefined : filled.find((cell) => pointOf(cell.trim()) !== null)
  return end === undefined
    ? null
    : `"${end.trim()}" next to the address may be the end of a range: --format ranges reads it, or name its column, or - to skip it`
}

import { type FeedItem, type FeedOptions, indicator, rejected } from './item.ts'

/** What a column of a delimited feed is mapped to. */
type Column = 'indicator' | 'tag' | 'reputation' | 'skip' | { attribute: string }

/** Reads the cells of one row. */
export type ParseRow = (cells: readonly string[], line: number) => FeedItem | null

/**
 * The row reader of a column list such as `indicator,category,tag,-`: `indicator` is the main value, `tag` a tag,
 * `reputation` an integer -3..3 that overrides the feed's, `-` nothing, and any other name an attribute.
 * Cells that hold nothing but `-` or `.` count as empty; cells beyond the list are ignored.
 * @throws when the list is not of this form, naming the column.
 */
export function rowReader(list: string, isAttribute: (name: string) => boolean, options: FeedOptions): ParseRow {
  const columns = parseColumns(list, isAttribute)
  const main = columns.indexOf('indicator')
  return (cells, line) => {
    const value = (cells[main] ?? '').trim()
    if (value === '' || value.startsWith('#')) return null
    const tags: string[] = []
    let attributes: Record<string, string> | undefined
    let reputation: number | undefined
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!
      if (i === main || column === 'skip') continue
      const cell = (cells[i] ?? '').trim()
      if (cell === '' || cell === '-' || cell === '.') continue
      if (column === 'tag') tags.push(cell)
      else if (column === 'reputation') {
        if (!/^[+-]?[0-3]$/.test(cell)) return rejected(line, 'reputation is not an integer -3..3', cells.join('\t'))
        reputation = Number(cell) + 0
      } else {
        attributes ??= {}
        attributes[(column as { attribute: string }).attribute] = cell
      }
    }
    return indicator(line, value, options, { tags, attributes, reputation })
  }
}

function parseColumns(list: string, isAttribute: (name: string) => boolean): Column[] {
  const names = list.split(',').map((name) => name.trim())
  const mains = names.filter((name) => name === 'indicator').length
  if (mains !== 1) throw new Error(`columns "${list}": exactly one column must be "indicator"; found ${mains}`)
  return names.map((name, at) => {
    if (name === 'indicator' || name === 'tag') return name
    if (names.indexOf(name) !== at && name !== '-') throw new Error(`columns "${list}": "${name}" is given twice`)
    if (name === 'reputation') return name
    if (name === '-' || name === '') return 'skip'
    if (!isAttribute(name)) throw new Error(`columns "${list}": "${name}" is not an attribute of the catalogue`)
    return { attribute: name }
  })
}

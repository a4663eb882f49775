import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { valueItems } from './value.ts'

/** What a cell of a table, or a member of an object, is mapped to. */
export type Meaning = 'indicator' | 'tag' | 'reputation' | 'skip' | { attribute: string }

/**
 * The meanings of a list such as `indicator,category,tag,-`.
 * @throws when one is unknown or given twice, or not exactly one is the indicator
 */
export function readMeanings(
  names: readonly string[],
  list: string,
  isAttribute: (name: string) => boolean,
): Meaning[] {
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

/**
 * The entities of an indicator with what is said of it besides; texts that are nothing but `-` or `.` count as empty.
 * @param texts the text at the place of each meaning; missing ones are empty, and that of the indicator is not looked at
 * @param raw the whole row, for a reason that is about another cell than the indicator
 */
export function meantItems(
  line: number,
  value: string,
  meanings: readonly Meaning[],
  texts: readonly string[],
  raw: () => string,
  options: FeedOptions,
): FeedItem[] {
  const tags: string[] = []
  let attributes: Record<string, string> | undefined
  let reputation: number | undefined
  for (let i = 0; i < meanings.length; i++) {
    const meaning = meanings[i]!
    if (meaning === 'skip' || meaning === 'indicator') continue
    const text = (texts[i] ?? '').trim()
    if (text === '' || text === '-' || text === '.') continue
    if (meaning === 'tag') tags.push(text)
    else if (meaning === 'reputation') {
      if (!/^[+-]?[0-3]$/.test(text)) return [rejected(line, 'reputation is not an integer -3..3', raw())]
      reputation = Number(text) + 0
    } else {
      attributes ??= {}
      attributes[meaning.attribute] = text
    }
  }
  return valueItems(line, value, options, { tags, attributes, reputation })
}

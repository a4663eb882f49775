import { isObject, type Json, textOf, textsOf } from '../document.ts'
import { type FeedOptions, rejected } from '../item.ts'
import { NOTHING, type ParseLine } from './line.ts'
import { type Meaning, meantItems, readMeanings } from './meanings.ts'

/** A member by its names from the outermost object, and what it means. */
type Field = { path: readonly string[]; name: string; meaning: Meaning }

/** Most values of one member that is a list. */
const MAX_VALUES = 256

/**
 * A list of JSON objects, one a line, by a list such as `cidr=indicator,sblid=tag`: the member `cidr` is the indicator.
 * Dots lead into objects (`meta.family=malware-family`); members that are not named are ignored, and of one that is a list
 * of texts each is meant. Objects without the indicator are refused.
 * @throws when the list is not of this form, naming the member
 */
export function objectReader(list: string, isAttribute: (name: string) => boolean, options: FeedOptions): ParseLine {
  const fields = readFields(list, isAttribute)
  const main = fields.find(({ meaning }) => meaning === 'indicator')!
  return (text, line) => {
    const trimmed = text.trim()
    if (trimmed === '') return NOTHING
    const object = parsed(trimmed)
    if (object === null) return [rejected(line, notAnObject(trimmed), trimmed)]
    const values = textsAt(object, main.path)
    if (values.length === 0) return [rejected(line, `no "${main.name}" in this object`, trimmed)]
    if (values.length > MAX_VALUES) return [rejected(line, `more than ${MAX_VALUES} values in "${main.name}"`, trimmed)]
    const others = fields.flatMap(({ path, meaning }) =>
      meaning === 'indicator' ? [] : textsAt(object, path).map((text) => ({ meaning, text })),
    )
    const meanings = others.map(({ meaning }) => meaning)
    const texts = others.map(({ text }) => text)
    return values.flatMap((value) => meantItems(line, value.trim(), meanings, texts, () => trimmed, options))
  }
}

function readFields(list: string, isAttribute: (name: string) => boolean): Field[] {
  const pairs = list.split(',').map((pair) => {
    const equals = pair.lastIndexOf('=')
    const name = pair.slice(0, Math.max(0, equals)).trim()
    if (name === '') throw new Error(`columns "${list}": "${pair.trim()}" is not <member>=<meaning>`)
    return { name, meaning: pair.slice(equals + 1).trim() }
  })
  const meanings = readMeanings(
    pairs.map(({ meaning }) => meaning),
    list,
    isAttribute,
  )
  return pairs.map(({ name }, at) => ({ path: name.split('.'), name, meaning: meanings[at]! }))
}

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const notAnObject = (text: string): string =>
  text.startsWith('[')
    ? 'a JSON array: write one object a line (jq -c ".[]")'
    : 'not a JSON object on a line of its own'

/** The texts of a member: none when it is missing or empty, one, or those of a list. */
function textsAt(object: Json, path: readonly string[]): string[] {
  let value: unknown = object
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return Array.isArray(value) ? textsOf(value) : [textOf(value)].filter((text) => text !== '')
}

/** How the items of one value lie on the disk: as JSON, by the digest of the value. */

import { hash } from 'node:crypto'
import type { EdgeItem, ListedItem } from './port.ts'

/** Bytes of a key: so many of the digest that two values of one key cannot be made. */
const KEY_BYTES = 16
/** Type, reputation, accuracy and tags of each item. */
const FIELDS = 4

/** Of the entries: one of another form is not read. */
export const FORM = '1'

type Entry = [value: string, ...fields: (string | number | readonly string[])[]]

/** The hexadecimal digits of a value's digest, which stand in the ids of its entities (decisions 3.1). */
export const digestOf = (value: string): string => hash('sha3-256', value, 'hex')

const key = Buffer.allocUnsafe(KEY_BYTES)

/** The key of a digest, until the next one is asked for. */
export function keyOf(digest: string): Buffer {
  key.write(digest, 'hex')
  return key
}

const NOTHING: readonly ListedItem[] = Object.freeze([])

/** The value of an entry. */
export const valueIn = (text: string): string => (JSON.parse(text) as Entry)[0]

/** The items of an entry. */
export function itemsIn(text: string | undefined, digest: string): readonly ListedItem[] {
  if (text === undefined) return NOTHING
  const entry = JSON.parse(text) as Entry
  const items: ListedItem[] = []
  for (let at = 1; at < entry.length; at += FIELDS)
    items.push({
      id: `${entry[at]}-${digest}`,
      value: entry[0],
      type: entry[at] as string,
      reputation: entry[at + 1] as number,
      accuracy: entry[at + 2] as number,
      tags: entry[at + 3] as readonly string[],
    })
  return items
}

/** The entry of the items of a value. */
export const textOf = (value: string, items: readonly EdgeItem[]): string =>
  JSON.stringify([
    value,
    ...items.flatMap(({ type, reputation, accuracy, tags }) => [type, reputation, accuracy, tags]),
  ])

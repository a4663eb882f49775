import type { Watch } from '../../../schemas/casework/watch.ts'
import type { ChangedRow } from '../../../schemas/intelligence/state/change.ts'

/** Everybody who is in the same groups: what a change is to one of them, it is to all. */
export type Reader = {
  /** The groups as one text. */
  readonly key: string
  readonly reads: (audience: readonly string[]) => boolean
}

/** A watchlist whose user reads something. */
export type KnownList = {
  readonly id: string
  readonly owner: { readonly customerId: string; readonly userId: string }
  reader: Reader
  /** Items fire for what was logged from here on, unix milliseconds; null: it is disabled, and they do not. */
  enabledAt: number | null
  /** The list of a user once more, as everybody reads: it fires for destinations that are told what is public. */
  readonly publicly?: true
}

export type KnownItem = {
  readonly id: string
  readonly list: KnownList
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly watch: Watch
}

/** Whether an item may fire for what was logged at this time, unix milliseconds. */
export const mayFire = ({ list: { enabledAt }, createdAt }: KnownItem, time: number): boolean =>
  enabledAt !== null && time >= enabledAt && time >= createdAt

/** Sets of audiences of which is known how readers differ; there are few, but one for each pair of reporters. */
const MAX_KNOWN = 10_000

type Rows = readonly Pick<ChangedRow, 'audience'>[]

/**
 * The readers of all items. Readers who read the same rows of an entity are shown the same of it, so a change is looked at
 * once for each such class, not for each reader: nearly all entities have one row.
 */
export function knownReaders() {
  const readers = new Map<string, { reader: Reader; uses: number }>()
  /** One reader of each class that reads something, by the audiences of the rows. */
  const classes = new Map<string, readonly Reader[]>()

  function classesOf(rows: Rows): readonly Reader[] {
    const found = new Map<string, Reader>()
    for (const { reader } of readers.values()) {
      const read = rows.map(({ audience }) => (reader.reads(audience) ? '1' : '0')).join('')
      if (read.includes('1') && !found.has(read)) found.set(read, reader)
    }
    return [...found.values()]
  }

  return {
    /** The reader in these groups, for one more list. */
    take(groups: readonly string[]): Reader {
      const key = JSON.stringify(groups)
      const known = readers.get(key)
      if (known !== undefined) {
        known.uses++
        return known.reader
      }
      const own = new Set(groups)
      const reader: Reader = { key, reads: (audience) => audience.some((group) => own.has(group)) }
      readers.set(key, { reader, uses: 1 })
      classes.clear()
      return reader
    },
    /** One list less. */
    give({ key }: Reader): void {
      const known = readers.get(key)
      if (known === undefined || --known.uses > 0) return
      readers.delete(key)
      classes.clear()
    },
    /** One reader for each different part of these rows that somebody reads. */
    classesOf(rows: Rows): readonly Reader[] {
      const [first] = rows
      const alone = rows.length === 1 && first!.audience.length === 1
      const key = alone ? first!.audience[0]! : rows.map(({ audience }) => audience.join('\n')).join('\n\n')
      const known = classes.get(key)
      if (known !== undefined) return known
      if (classes.size >= MAX_KNOWN) classes.clear()
      const found = classesOf(rows)
      classes.set(key, found)
      return found
    },
    size: (): number => readers.size,
  }
}

export type KnownReaders = ReturnType<typeof knownReaders>

/** Whether two readers read the same of these rows. */
export const readAlike = (a: Reader, b: Reader, rows: Rows): boolean =>
  a === b || rows.every(({ audience }) => a.reads(audience) === b.reads(audience))

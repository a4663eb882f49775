import { encodeEntity, typeIn, valueIn, withEntity } from '../../../schemas/intelligence/state/rows/entry.ts'
import type { KeyedEntry } from '../../../schemas/intelligence/state/rows/stored-rows.ts'
import type { IndexState, LookupIndex } from '../port.ts'
import type { Environment } from './environment.ts'
import { digestOf, keyInto, newKey } from './index-key.ts'

/** Entities that are written in one transaction: some milliseconds. */
const PORTION = 1_000

/** The writer of an index, which this process alone writes to. `state`: where it begins. */
export function indexWriter(env: Environment, begins: IndexState): LookupIndex {
  let state = begins
  let networks = 0
  const known = new Set<string>()
  for (let text = env.networks.get(networks); text !== undefined; text = env.networks.get(++networks)) known.add(text)

  /** Runs `each` in portions, of which the last one sets the state. */
  async function inPortions<T>(all: readonly T[], given: Partial<IndexState>, each: (one: T) => void): Promise<void> {
    for (let at = 0; at === 0 || at < all.length; at += PORTION) {
      const some = all.slice(at, at + PORTION)
      const isLast = at + PORTION >= all.length
      const after = isLast ? { ...state, ...given } : state
      const before = networks
      try {
        await env.write(() => {
          for (const one of some) each(one)
          return after
        })
      } catch (error) {
        // Those that were to be added are not there.
        for (const text of [...known].slice(before)) known.delete(text)
        networks = before
        throw error
      }
      state = after
    }
  }

  /** @param one the entry of an entity alone */
  function addNetwork(one: Buffer): void {
    const value = typeIn(one) === 'cidr' ? valueIn(one) : null
    if (value === null || known.has(value)) return
    env.networks.putSync(networks++, value)
    known.add(value)
  }

  return {
    state: () => state,
    append(entities, given) {
      const byValue = [...Map.groupBy(entities, ({ value }) => value)].map(([value, of]) => ({
        digest: digestOf(value),
        of,
      }))
      byValue.sort((a, b) => (a.digest < b.digest ? -1 : 1))
      return inPortions(byValue, given, ({ digest, of }) => {
        let entry: Buffer | null = null
        for (const entity of of) {
          const bytes = encodeEntity(entity)
          if (bytes === null) continue
          addNetwork(bytes)
          entry = withEntity(entry ?? undefined, entry === null ? Buffer.from(bytes) : bytes)
        }
        if (entry !== null) env.entries.putSync(keyInto(newKey(), digest), entry, APPEND)
      })
    },
    put: (entries, given) =>
      // By their keys: those of one transaction share pages then, of which it copies as few as it can.
      inPortions(entries.toSorted(byKey), given, ({ key, entry }) => {
        const before = env.entries.getBinaryFast(key)
        const after = withEntity(before, entry)
        if (after !== null) env.entries.putSync(key, after)
        else if (before !== undefined) env.entries.removeSync(key)
        addNetwork(entry)
      }),
    bytes: env.bytes,
    close: env.close,
  }
}

const byKey = (a: KeyedEntry, b: KeyedEntry): number => Buffer.compare(a.key, b.key)

/** In the types of the library it is missing for this call. */
const APPEND = { append: true } as object

import { setImmediate as others } from 'node:timers/promises'
import type { Database } from 'lmdb'
import type { Prefix } from '../../edge/answers/port.ts'
import { type Network, readNetwork } from '../../schemas/intelligence/compare/compare-networks.ts'
import type { TypedValue } from '../../schemas/intelligence/propagation/coverage.ts'
import { networkDrawer } from '../../schemas/intelligence/selectors/index/networks.ts'
import { type Environment, openEnvironment } from '../lmdb/environment.ts'
import { digestOf, FORM, itemsIn, keyOf, textOf, valueIn } from './entry.ts'
import { followedValues } from './known-values.ts'
import { cidrOf, NAMES_KEY, nameKey, placeOf, within } from './places.ts'
import type { EdgeChange, EdgeItem, EdgeList, ListedItem, ListState } from './port.ts'

/** Changes of one transaction: some milliseconds, in which nothing is answered. */
const PORTION = 1_000

type Tables = {
  /** Items by the digest of their value, as JSON: the value, then type, reputation, accuracy and tags of each. */
  entries: Database<string, Buffer>
  /** Of what has a negative reputation: where it stands (`places.ts`). The value of a network, else nothing. */
  places: Database<string, Buffer>
  /** Values of networks. */
  networks: Database<string, string>
}

type Kept = ListState & { form: string }

const NOTHING: readonly ListedItem[] = Object.freeze([])

/**
 * Opens a list on the disk. Once it is whole each write is flushed: an edge whose machine stopped answers again while the
 * platform is away.
 * @param maxBytes the most that it may take; null: to read it
 * @param begins of one that is made
 * @throws as the folder of LMDB
 */
export function openList(folder: string, maxBytes: number | null, begins: ListState | null): EdgeList {
  const env: Environment<Kept> & Tables = openEnvironment<Kept, Tables>(
    folder,
    { maxBytes, durable: begins === null },
    (open) => ({
      entries: open('entries', { encoding: 'string', keyEncoding: 'binary' }),
      places: open('places', { encoding: 'string', keyEncoding: 'binary' }),
      networks: open('networks', { encoding: 'string', keyEncoding: 'ordered-binary' }),
    }),
  )
  const stored = env.state()
  let state: ListState = stored ?? begins ?? { feed: '', cursor: '', sequence: 0, items: 0, complete: false }
  /** Each process that answers has them in memory, some 150 bytes each. */
  const drawer = networkDrawer<string>()
  for (const { value } of env.networks.getRange()) change('add', value)

  /** While it is answered from: one that is made, or looked at once, needs none. */
  const known = maxBytes !== null && begins === null ? followedValues(() => state.items, portions) : null

  function* portions(most: number): Generator<string[]> {
    for (let after: Buffer | undefined; ; ) {
      const some: { key: Buffer; value: string }[] = [
        ...env.entries.getRange({ ...(after && { start: after, exclusiveStart: true }), limit: most }),
      ]
      yield some.map(({ value }) => valueIn(value))
      if (some.length < most) return
      after = some.at(-1)!.key
    }
  }

  function itemsOf(value: string): readonly ListedItem[] {
    return known !== null && !known.may(value) ? NOTHING : onDisk(value)
  }

  function change(how: 'add' | 'remove', value: string): void {
    const network: Network | { reason: string } = readNetwork(value)
    if (!('reason' in network)) drawer[how](network, value)
  }

  function around(inner: TypedValue): string[] {
    const found: string[] = []
    drawer.find(inner, found)
    return found.length < 2 ? found.filter((one) => one !== inner.value) : narrowest(found, inner.value)
  }

  /** Writes the items of one value, and what follows from them. Returns by how many the list grew. */
  function putValue(value: string, changes: readonly EdgeChange[]): number {
    const digest = digestOf(value)
    const key = keyOf(digest)
    const before = itemsIn(env.entries.get(key), digest)
    const now = after(before, changes)
    if (now.length > 0) env.entries.putSync(key, textOf(value, now))
    else if (before.length > 0) env.entries.removeSync(key)
    const [was, is] = [placesOf(before), placesOf(now)]
    for (const [hex, place] of was) if (!is.has(hex)) env.places.removeSync(place)
    for (const [hex, place] of is) if (!was.has(hex)) env.places.putSync(place, '')
    if (before.length === 0 && now.length > 0) known?.add(value)
    return now.length - before.length
  }

  return {
    state() {
      if (maxBytes !== null) return state
      // Somebody else writes it.
      env.refresh()
      return env.state() ?? state
    },
    items: itemsOf,
    around,
    isAboveListed(name) {
      const start = name === '' ? NAMES_KEY : nameKey(name)
      for (const key of env.places.getKeys({ start, limit: 2 }))
        if (key.length > start.length && key.subarray(0, start.length).equals(start)) return true
      return name === '' && [...env.places.getKeys({ limit: 1 })].length > 0
    },
    holdsListed(prefix: Prefix) {
      if ([...env.places.getKeys({ ...within(prefix), limit: 1 })].length > 0) return true
      const network = readNetwork(cidrOf(prefix))
      if ('reason' in network) return false
      return around({ type: 'cidr', value: network.text }).some(isNegative)
    },
    *all() {
      for (const { value } of env.entries.getRange()) for (const { id: _, ...item } of itemsIn(value, '')) yield item
    },
    async apply(changes, at) {
      for (let from = 0; from === 0 || from < changes.length; from += PORTION) {
        const isLast = from + PORTION >= changes.length
        const byValue = Map.groupBy(changes.slice(from, from + PORTION), ({ item }) => item.value)
        let grown = 0
        await env.write(() => {
          grown = 0
          for (const [value, of] of byValue) grown += putValue(value, of)
          for (const [value, has] of networksOf(byValue)) {
            if (has) env.networks.putSync(value, value)
            else env.networks.removeSync(value)
          }
          // A list that is made counts when it is whole; one that is kept is at a cursor when all before it is there.
          const next = isLast ? { ...at, items: state.items + grown } : { ...state, items: state.items + grown }
          return { ...next, form: FORM }
        })
        state = isLast ? { ...at, items: state.items + grown } : { ...state, items: state.items + grown }
        for (const [value, has] of networksOf(byValue)) {
          change('remove', value)
          if (has) change('add', value)
        }
        if (!isLast) await others()
      }
    },
    close() {
      known?.stop()
      return env.close()
    },
  }

  /** Without a look at what is known, which may lack what is written now. */
  function onDisk(value: string): readonly ListedItem[] {
    const digest = digestOf(value)
    return itemsIn(env.entries.get(keyOf(digest)), digest)
  }

  function isNegative(value: string): boolean {
    return itemsOf(value).some(({ type, reputation }) => type === 'cidr' && reputation < 0)
  }

  /** Of each network among these values, whether it is an item now. */
  function networksOf(byValue: ReadonlyMap<string, readonly EdgeChange[]>): [string, boolean][] {
    return [...byValue].flatMap(([value, of]): [string, boolean][] => {
      const last = of.findLast(({ item }) => item.type === 'cidr')
      return last === undefined ? [] : [[value, !last.gone]]
    })
  }
}

/** Items of one value after these changes. */
function after(items: readonly EdgeItem[], changes: readonly EdgeChange[]): readonly EdgeItem[] {
  const byType = new Map(items.map((item) => [item.type, item]))
  for (const { item, gone } of changes) {
    if (gone) byType.delete(item.type)
    else byType.set(item.type, item)
  }
  return [...byType.values()]
}

/** Where those with a negative reputation stand, by the digits of the key. */
function placesOf(items: readonly EdgeItem[]): Map<string, Buffer> {
  const places = new Map<string, Buffer>()
  for (const { type, value, reputation } of items) {
    const place = reputation < 0 ? placeOf(type, value) : null
    if (place !== null) places.set(place.toString('latin1'), place)
  }
  return places
}

const bitsOf = (network: string): number => Number(network.slice(network.lastIndexOf('/') + 1))

const narrowest = (found: readonly string[], own: string): string[] =>
  found.filter((one) => one !== own).sort((a, b) => bitsOf(b) - bitsOf(a))

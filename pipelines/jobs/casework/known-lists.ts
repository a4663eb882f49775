import { setImmediate as letOthers } from 'node:timers/promises'
import type { WatchedList, WatchedLists } from '../../../connectors/postgres/casework/alerts/port.ts'
import { watchOf } from '../../../schemas/casework/watch.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import type { Watched } from '../../processors/casework/look-at.ts'
import { type MatchItems, matchItems } from '../../processors/casework/match-items.ts'
import { watchIndex } from '../../processors/casework/watch-index.ts'
import { type KnownItem, type KnownList, knownReaders } from '../../processors/casework/watched.ts'
import { mutex } from '../../runtime/mutex.ts'

/** Lists of one question: each may have a thousand items. */
const LISTS_AT_ONCE = 10
const IDS_AT_ONCE = 1_000
/** Items that are read one after another before others get a turn: this process may answer requests too. */
const ITEMS_AT_ONCE = 200

/** All watchlists that may fire, as they were stored when they were last asked for. */
export type KnownLists = Watched & {
  /** Items that no change concerns. */
  matches: MatchItems
  /** Takes in whatever was committed before this call. @throws what the store throws; then the next call does it */
  refresh(): Promise<void>
  /** Items. */
  size(): number
}

const publicKey = (id: string): string => `${id} ${PUBLIC}`

export function knownLists(lists: WatchedLists): KnownLists {
  const readers = knownReaders()
  const index = watchIndex()
  const matches = matchItems()
  const filing = ({ watch }: KnownItem) => (watch.kind === 'match' ? matches : index)
  /** By id, and those that are there for everybody too once more. */
  const byId = new Map<string, { list: KnownList; items: Map<string, KnownItem> }>()
  const order = mutex()
  /** The move up to which everything was read; null: nothing was. */
  let known: number | null = null
  let asked: Promise<void> | null = null

  function forget(key: string): void {
    const there = byId.get(key)
    if (there === undefined) return
    for (const item of there.items.values()) filing(item).remove(item)
    readers.give(there.list.reader)
    byId.delete(key)
  }

  function remove(id: string): void {
    forget(id)
    forget(publicKey(id))
  }

  /** The list as it is known, without items when it was not. */
  function listOf({ id, owner, enabledAt }: WatchedList, groups: readonly string[], publicly: boolean) {
    const key = publicly ? publicKey(id) : id
    const reader = readers.take(groups)
    const list: KnownList = { id, owner, reader, enabledAt, ...(publicly ? { publicly } : {}) }
    const there = byId.get(key) ?? { list, items: new Map<string, KnownItem>() }
    if (byId.has(key)) readers.give(there.list.reader)
    there.list.reader = reader
    there.list.enabledAt = enabledAt
    byId.set(key, there)
    return there
  }

  async function put(given: WatchedList): Promise<void> {
    const { id, groups } = given
    if (groups === null || given.items.length === 0) return remove(id)
    await file(given, listOf(given, groups, false))
    if (given.publicly) await file(given, listOf(given, [PUBLIC], true))
    else forget(publicKey(id))
  }

  async function file({ items: all }: WatchedList, { list, items }: ReturnType<typeof listOf>): Promise<void> {
    const ids = new Set(all.map((item) => item.id))
    for (const [itemId, item] of items)
      if (!ids.has(itemId)) {
        filing(item).remove(item)
        items.delete(itemId)
      }
    for (const [n, { id: itemId, content, createdAt }] of all.entries()) {
      if (n % ITEMS_AT_ONCE === ITEMS_AT_ONCE - 1) await letOthers()
      const watch = items.has(itemId) ? null : watchOf(content)
      // A match is its owner's alone.
      if (watch === null || (watch.kind === 'match' && list.publicly)) continue
      const item: KnownItem = { id: itemId, list, createdAt, watch }
      items.set(itemId, item)
      filing(item).add(item)
    }
  }

  async function read(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += LISTS_AT_ONCE) {
      const some = ids.slice(at, at + LISTS_AT_ONCE)
      const found = await lists.read(some)
      const there = new Set(found.map(({ id }) => id))
      for (const id of some) if (!there.has(id)) remove(id)
      for (const list of found) await put(list)
    }
  }

  async function readAll(): Promise<void> {
    const latest = await lists.latest()
    const gone = new Set([...byId.values()].map(({ list }) => list.id))
    for (let after: string | null = null; ; ) {
      const ids: string[] = await lists.ids({ after, limit: IDS_AT_ONCE })
      await read(ids)
      for (const id of ids) gone.delete(id)
      after = ids.at(-1) ?? null
      if (ids.length < IDS_AT_ONCE) break
    }
    for (const id of gone) remove(id)
    known = latest
  }

  async function catchUp(): Promise<void> {
    while (known !== null) {
      const moves = await lists.movesAfter(known)
      if (moves === null) break
      const ids = new Set([...moves.lists, ...(await lists.ids({ users: moves.users }))])
      await read([...ids])
      known = moves.to
      if (!moves.more) return
    }
    await readAll()
  }

  return {
    readers,
    index,
    matches,
    /** Several that ask at once get the answer to one question, which is asked after all of them have. */
    refresh() {
      asked ??= order.take(() => {
        asked = null
        return catchUp()
      })
      return asked
    },
    size: () => index.size() + matches.size(),
  }
}

/** Lists of feeds in memory, as a test moves them. */

import { StoreUnavailable } from '../../../connectors/availability/port.ts'
import {
  type FeedLists,
  type FeedStatus,
  ListReplaced,
  type ReadList,
} from '../../../connectors/history/feeds-out/port.ts'
import type { DeltaOp, FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { inPieces, rowsOf, toldRowsOf } from '../feeds/list-rows.ts'

const PIECE = 65_536

type List = { items: FeedItem[]; deltas: FeedDelta[]; held: boolean; forgotten: number; mayHoldWellKnown: boolean }

export const feedItem = (value: string, type = 'ip'): FeedItem => ({
  entityId: `${type}-${value}`,
  type,
  value,
  reputation: -3,
  accuracy: 2,
  tags: ['c2'],
  firstSeen: 1_000,
  lastSeen: 2_000,
})

export function memoryLists() {
  const lists = new Map<string, List>()
  let away = false
  let reads = 0
  let asked = 0
  let replaced = 0

  function found(feed: string): List | null {
    if (away) throw new StoreUnavailable('the history store', 'cannot be reached')
    return lists.get(feed) ?? null
  }

  const placeOf = ({ items, deltas }: List) => ({ epoch: 1, sequence: deltas.length, items: items.length })

  function read(feed: string, rows: (items: readonly FeedItem[]) => Buffer): ReadList | null {
    const list = found(feed)
    reads++
    const { mayHoldWellKnown = false } = list ?? {}
    return list && { ...placeOf(list), mayHoldWellKnown, rows: inPieces(rows(list.items), PIECE) }
  }

  const ports: FeedLists = {
    place: async (feed) => {
      const list = found(feed)
      return list && { ...placeOf(list), held: list.held }
    },
    read: async (feed) => read(feed, rowsOf),
    readWithMore: async (feed) => read(feed, toldRowsOf),
    parquet: async (feed) => {
      const list = found(feed)
      return (
        list && {
          ...placeOf(list),
          bytes: (async function* () {
            yield Buffer.from('PAR1')
            if (replaced-- > 0) throw new ListReplaced()
          })(),
        }
      )
    },
    deltas: async (feed, after, limit) => {
      const list = found(feed)
      asked++
      if (list === null) return null
      const now = list.deltas.length
      const deltas = list.deltas.slice(after, after + limit)
      return { deltas, now, complete: after <= now && after >= list.forgotten }
    },
  }

  return {
    ports,
    /** How often a whole list was read. */
    reads: () => reads,
    /** How often deltas were asked for. */
    asked: () => asked,
    make(feed: string, items: readonly FeedItem[] = [], { mayHoldWellKnown = false } = {}): void {
      lists.set(feed, { items: [...items], deltas: [], held: false, forgotten: 0, mayHoldWellKnown })
    },
    step(feed: string, op: DeltaOp, item: FeedItem): void {
      const list = lists.get(feed)!
      list.items = list.items.filter(({ entityId }) => entityId !== item.entityId)
      if (op !== 'remove') list.items.push(item)
      list.deltas.push({ sequence: list.deltas.length + 1, op, reason: 'reported', at: 3_000, item })
    },
    /** As the job does for a deleted feed. */
    remove(feed: string): void {
      lists.delete(feed)
    },
    hold(feed: string, held: boolean): void {
      lists.get(feed)!.held = held
    },
    /** Deltas up to here are not kept any more. */
    forget(feed: string, sequence: number): void {
      lists.get(feed)!.forgotten = sequence
    },
    /** The next files that the store writes are of lists that are made anew meanwhile. */
    replace(times: number): void {
      replaced = times
    },
    setAway(is: boolean): void {
      away = is
    },
    statesOf: async (ids: readonly string[]): Promise<Map<string, FeedStatus>> =>
      new Map(
        ids.flatMap((id): [string, FeedStatus][] => {
          const list = found(id)
          if (list === null) return []
          const { items, sequence } = placeOf(list)
          return [[id, { state: list.held ? 'held' : 'live', items, sequence, held: null }]]
        }),
      ),
  }
}

/** Alerts that a load should fire, by rules of their own that say what each item means. Pure. */

import { utcDay } from '../../../../schemas/casework/alert.ts'
import type { ChangedView } from '../../../../schemas/intelligence/state/changed-view.ts'
import type { SeenChange } from './changes.ts'

export type WatchedItem = {
  /** As its user stores it. */
  item: { kind: string; value: string | object; type?: string; max_reputation?: number }
  /** Whether a view of which not all reports were taken back is inside. */
  holds(view: ChangedView): boolean
}

const lastByte = ({ value }: ChangedView): number => Number(value.split('.')[3])
const isAddress = ({ type, value }: ChangedView): boolean => type === 'ip' && value.startsWith('198.51.100.')
const isMarked = ({ wellKnown, covered }: ChangedView): boolean => wellKnown || covered

/** Fire for some of the addresses that a load shares: fewer alerts than are told one by one (decisions 13.3). */
export const FEW: readonly WatchedItem[] = [
  {
    item: { kind: 'cidr', value: '198.51.100.0/28', max_reputation: -1 },
    holds: (view) => isAddress(view) && lastByte(view) < 16 && view.reputation <= -1,
  },
  {
    item: { kind: 'value', value: '198.51.100.20', max_reputation: -2 },
    holds: (view) => isAddress(view) && lastByte(view) === 20 && view.reputation <= -2,
  },
  {
    item: {
      kind: 'selector',
      value: { types: ['ip'], cidr: '198.51.100.16/28', tags: { any: ['t2'] }, reputation: { lte: -1 } },
    },
    holds: (view) =>
      isAddress(view) &&
      lastByte(view) >= 16 &&
      lastByte(view) < 32 &&
      view.tags.includes('t2') &&
      view.reputation <= -1 &&
      !isMarked(view),
  },
]

/** Fire for a good part of what a load reports anew. */
export const MANY: readonly WatchedItem[] = [
  { item: { kind: 'type', value: 'md5' }, holds: ({ type }) => type === 'md5' },
  { item: { kind: 'tag', value: 't1' }, holds: ({ tags }) => tags.includes('t1') },
  {
    item: { kind: 'suffix', value: 'example.net', max_reputation: -2 },
    holds: ({ type, value, reputation }) => type === 'domain' && value.endsWith('.example.net') && reputation <= -2,
  },
]

/** By its item, its entity and its day: how often it fired, and whether what it fired for was wrong. */
export type Fired = Map<string, { count: number; withdrawn: boolean }>

export const firedKey = (item: string, entityId: string, day: string): string => `${item} ${entityId} ${day}`

const WITHDRAWS: ReadonlySet<string> = new Set(['retracted', 'marked', 'verdict'])

/** @param ids of the items as they are stored, in their order */
export function dueAlerts(
  changes: readonly SeenChange[],
  items: readonly WatchedItem[],
  ids: readonly string[],
): Fired {
  const fired: Fired = new Map()
  /** The last alert of an item and an entity. */
  const last = new Map<string, { count: number; withdrawn: boolean }>()
  for (const { time, seen } of changes)
    for (const [n, { holds }] of items.entries()) {
      const isIn = (view: ChangedView | null): boolean => view !== null && !view.retracted && holds(view)
      const [was, is] = [isIn(seen.before), isIn(seen.after)]
      if (was === is) continue
      const { entityId } = seen.after
      const pair = `${ids[n]} ${entityId}`
      if (is) {
        const key = firedKey(ids[n]!, entityId, utcDay(time))
        const alert = { count: (fired.get(key)?.count ?? 0) + 1, withdrawn: false }
        fired.set(key, alert)
        last.set(pair, alert)
      } else if (WITHDRAWS.has(seen.reason) && last.has(pair)) last.get(pair)!.withdrawn = true
    }
  return fired
}

/** Alerts that are not there, that are there and should not be, and those with another count or state. */
export function firedFaults(should: Fired, found: Fired) {
  const both = [...should].filter(([key]) => found.has(key))
  return {
    missing: should.size - both.length,
    extra: found.size - both.length,
    miscounted: both.filter(([key, { count }]) => found.get(key)!.count !== count).length,
    misjudged: both.filter(([key, { withdrawn }]) => found.get(key)!.withdrawn !== withdrawn).length,
  }
}

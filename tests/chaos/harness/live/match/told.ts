import { matchStore } from '../../../../../connectors/history/match/match-store.ts'
import type { History } from '../../../../../connectors/history/port.ts'
import type { EventLog } from '../../../../../connectors/log/port.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { compileSelector } from '../../../../../schemas/intelligence/selectors/compile.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { viewChange } from '../../../../../schemas/intelligence/state/view-change.ts'
import { decoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { MATCHES } from '../../../../../schemas/log/topics.ts'
import type { MatchRecord } from '../../../../../schemas/match/match.ts'
import { DEFAULT_SELECTOR } from '../../../../../schemas/match/settings.ts'
import { everyRecord } from '../../../../builders/intelligence/replay/replay.ts'
import type { Seen } from './sensors.ts'

const HOUR = 3_600_000
const selector = compileSelector(DEFAULT_SELECTOR)

/** Whether an owner's index has an entity in the end, or ever had it. */
export type Indexed = Map<string, { ever: boolean; now: boolean }>

/** By owner and entity, from the changes alone. */
export function indexedBy(changes: readonly Change[], groups: ReadonlyMap<string, readonly string[]>): Indexed {
  const found: Indexed = new Map()
  for (const [owner, own] of groups)
    for (const change of changes) {
      const seen = viewChange(change, (audience) => audience.some((group) => group === 'public' || own.includes(group)))
      if (seen === null || seen === 'wide') continue
      const now = selector.holds(seen.after, change.observedAt)
      const key = `${owner} ${change.entityId}`
      found.set(key, { ever: now || found.get(key)?.ever === true, now })
    }
  return found
}

const decode = decoder<MatchRecord>(records.match, (id) => (id < 1000 ? records.match : undefined))

/** Ids of matches that the log tells. */
export async function toldIn(log: EventLog): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { value } of await everyRecord(log, MATCHES)) {
    const read = decode(value ?? Buffer.alloc(0))
    if (read.ok && read.record.step === 'told') found.add(read.record.id)
  }
  return found
}

export type MatchFigures = Record<
  | 'events'
  | 'forward'
  | 'retro'
  | 'missing'
  | 'extra'
  | 'not withdrawn'
  | 'withdrawn and there'
  | 'untold'
  | 'miscounted rows',
  number
>

const idOf = (met: string): string => entityId(met.split(' ')[0]!, met.split(' ')[1]!)

/** What is stored against what follows from what was acknowledged, one event after the other. */
export async function matchFigures(
  history: History,
  seen: readonly Seen[],
  indexed: Indexed,
  told: ReadonlySet<string>,
): Promise<MatchFigures> {
  const figures: MatchFigures = {
    events: seen.length,
    forward: 0,
    retro: 0,
    missing: 0,
    extra: 0,
    'not withdrawn': 0,
    'withdrawn and there': 0,
    untold: 0,
    'miscounted rows': 0,
  }
  const store = matchStore(history)
  const rowOf = ({ owner, field, value, at }: Seen): string =>
    `${owner} ${field} ${value} ${Math.floor(at / HOUR) * HOUR}`
  const rows = Map.groupBy(seen, rowOf)

  const sql = `SELECT owner, field, value, toString(toUnixTimestamp(hour)) AS hour, toString(sum(count)) AS n
    FROM telemetry_ledger GROUP BY owner, field, value, hour`
  const stored = new Map<string, number>()
  for (const row of await history.query<Record<'owner' | 'field' | 'value' | 'hour' | 'n', string>>({
    sql,
    params: {},
  }))
    stored.set(`${row.owner} ${row.field} ${row.value} ${Number(row.hour) * 1000}`, Number(row.n))
  for (const row of new Set([...rows.keys(), ...stored.keys()]))
    if ((rows.get(row)?.length ?? 0) !== (stored.get(row) ?? 0)) figures['miscounted rows']++

  const byEvent = new Map(seen.map((one) => [`${one.owner} ${one.id}`, one]))
  const counted = new Map<string, number>()
  for (const owner of new Set(seen.map((one) => one.owner))) {
    for (const entity of await store.matchedEntities(owner, '', 1_000_000)) {
      const { ever, now } = indexed.get(`${owner} ${entity}`) ?? { ever: false, now: false }
      const matches = await store.matchesOf(owner, entity, null, 1_000_000)
      const isWithdrawn = (await store.states(owner, [entity])).some(({ withdrawnAt }) => withdrawnAt !== null)
      if (matches.length > 0 && isWithdrawn === now) figures[now ? 'withdrawn and there' : 'not withdrawn']++
      for (const { id, direction, event } of matches) {
        figures[direction]++
        if (!told.has(id)) figures.untold++
        const one = byEvent.get(`${owner} ${event.id}`)
        const row =
          one === undefined
            ? `${owner} ${event.field} ${event.value} ${Math.floor(event.at / HOUR) * HOUR}`
            : rowOf(one)
        const isRight = ever && rows.get(row)?.[0]?.meets.some((met) => idOf(met) === entity) === true
        if (!isRight) figures.extra++
        const key = `${row} ${entity}`
        counted.set(key, (counted.get(key) ?? 0) + event.count)
      }
    }
  }
  for (const [row, events] of rows)
    for (const met of events[0]!.meets) {
      const entity = idOf(met)
      const n = counted.get(`${row} ${entity}`) ?? 0
      const is = indexed.get(`${events[0]!.owner} ${entity}`)
      if (n > events.length) figures.extra += n - events.length
      if (is?.now === true && n < events.length) figures.missing += events.length - n
    }
  return figures
}

const NEVER = ['missing', 'extra', 'not withdrawn', 'withdrawn and there', 'untold', 'miscounted rows'] as const

/** What is wrong with matches, in words. */
export const matchFaults = (figures: MatchFigures): string[] => [
  ...NEVER.filter((name) => figures[name] > 0).map((name) => `matches ${name}: ${figures[name]}`),
  ...(figures.forward > 0 && figures.retro > 0 ? [] : ['nothing was matched forwards or backwards']),
]

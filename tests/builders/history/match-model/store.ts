/** What the job that matches keeps, in memory: what has the same token is stored once, as the history store does it. */

import type {
  LedgerValue,
  MatchState,
  MatchStore,
  PlacedLedgerRow,
  StoredMatch,
  Tally,
} from '../../../../connectors/history/match/port.ts'
import type { StoredLedgerRow } from '../../../../schemas/match/ledger.ts'
import type { Reach } from '../../../../schemas/match/place.ts'
import { idsOfColumns, rowsOfColumns } from './columns.ts'

export type Kept = {
  ids: { digest: string; expires: number; batch: bigint }[]
  tallies: (Tally & { batch: bigint })[]
  decided: Map<bigint, number>
  ledger: Map<string, PlacedLedgerRow>
  matches: Map<string, StoredMatch>
  /** Places of matches by time: `owner id matchedAt`. */
  places: Set<string>
  states: Map<string, MatchState>
  notes: Map<string, { text: string; version: bigint }>
  tokens: Set<string>
}

/** Cuts a write into those of its tables; may throw before, between and after them. */
export type Write = (name: string, ...tables: (() => void)[]) => Promise<void>

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const placeOf = ({ owner, anchor, key, value, field, hour }: Omit<PlacedLedgerRow, 'count'>): string =>
  [owner, anchor, key, value, field, String(hour).padStart(15, '0')].join('\0')
const placeOfValue = ({ anchor, key, value, field }: LedgerValue): string => [anchor, key, value, field].join('\0')

const within = ({ anchors, below, ranges }: Reach, { anchor, key }: { anchor: string; key: string }): boolean =>
  (anchors.includes(anchor) || ranges.some(([first, last]) => anchor >= first && anchor <= last)) &&
  (below.length === 0 || key === '' || below.some((name) => key === name || key.startsWith(`${name}.`)))

export const nothingKept = (): Kept => ({
  ids: [],
  tallies: [],
  decided: new Map(),
  ledger: new Map(),
  matches: new Map(),
  places: new Set(),
  states: new Map(),
  notes: new Map(),
  tokens: new Set(),
})

export function memoryMatchStore(kept: Kept, write: Write): MatchStore {
  const once = (table: string, token: string, work: () => void) => (): void => {
    if (kept.tokens.has(`${table} ${token}`)) return
    kept.tokens.add(`${table} ${token}`)
    work()
  }
  const add = (row: StoredLedgerRow): void => {
    const { expires: _, ...given } = row
    const at = placeOf(given)
    const known = kept.ledger.get(at)
    if (known === undefined) return void kept.ledger.set(at, given)
    const [first, last] = [Math.min(known.first, row.first), Math.max(known.last, row.last)]
    kept.ledger.set(at, { ...known, count: known.count + row.count, first, last })
  }
  const rowsOf = (owner: string, since: number): PlacedLedgerRow[] =>
    [...kept.ledger.values()].filter((row) => row.owner === owner && row.hour >= since)
  const putNewest = <T extends { version: bigint }>(table: Map<string, T>, key: string, row: T): void => {
    if ((table.get(key)?.version ?? -1n) <= row.version) table.set(key, row)
  }

  return {
    async *ids() {
      for (const { digest } of kept.ids) yield Buffer.from(digest, 'hex')
    },
    async idsOf(digests) {
      const asked = new Set(digests)
      return new Map(kept.ids.filter(({ digest }) => asked.has(digest)).map(({ digest, batch }) => [digest, batch]))
    },
    putIds: (ids, batch) =>
      write(
        'ids',
        once('ids', `${batch}`, () => kept.ids.push(...idsOfColumns(ids).map((id) => ({ ...id, batch })))),
      ),
    async decision(batch) {
      const at = kept.decided.get(batch)
      if (at === undefined) return null
      return { at, tallies: kept.tallies.filter((one) => one.batch === batch).map(({ batch: _, ...tally }) => tally) }
    },
    putDecision: ({ at, tallies }, batch) =>
      write(
        'decision',
        once('tallies', `${batch}`, () => {
          kept.decided.set(batch, at)
          kept.tallies.push(...tallies.map((tally) => ({ ...tally, batch })))
        }),
      ),
    putLedger: (rows, batch) =>
      write(
        'ledger',
        once('ledger', `${batch}`, () => rowsOfColumns(rows).forEach(add)),
      ),
    putMatches(matches, token) {
      const name = token ?? `match:${matches[0]?.version}:${matches[0]?.match.id}:${matches.length}`
      return write(
        'matches',
        once('places', name, () => {
          for (const { owner, match } of matches) kept.places.add(`${owner} ${match.id} ${match.matchedAt}`)
        }),
        once('matches', name, () => {
          for (const one of matches) putNewest(kept.matches, `${one.owner} ${one.match.id}`, one)
        }),
      )
    },
    async ledger(owners, reach, since, after, limit) {
      return owners
        .flatMap((owner) => rowsOf(owner, since))
        .filter((row) => within(reach, row) && (after === null || placeOf(row) > placeOf(after)))
        .toSorted((a, b) => byText(placeOf(a), placeOf(b)))
        .slice(0, limit)
    },
    async values(owner, since, after, limit) {
      const values = new Map(rowsOf(owner, since).map((row) => [placeOfValue(row), row]))
      return [...values]
        .filter(([text]) => after === null || text > placeOfValue(after))
        .toSorted(([a], [b]) => byText(a, b))
        .slice(0, limit)
        .map(([, { anchor, key, value, field }]) => ({ anchor, key, value, field }))
    },
    async tallies(owner, entityIds) {
      const found = new Map<string, Map<bigint, number>>()
      for (const { entityId, row, n } of kept.tallies.filter((one) => one.owner === owner)) {
        if (!entityIds.includes(entityId)) continue
        const those = found.get(entityId) ?? new Map<bigint, number>()
        found.set(entityId, those.set(row, (those.get(row) ?? 0) + n))
      }
      return found
    },
    async toldRetro(owner, entityIds) {
      return [...kept.matches.values()]
        .filter(({ match, ...one }) => one.owner === owner && match.direction === 'retro')
        .filter(({ match }) => entityIds.includes(match.entity.id))
        .map(({ match: { id, entity, event, summary, matchedAt } }) => {
          return { id, entityId: entity.id, field: event.field, summary, count: event.count, matchedAt }
        })
    },
    async matched(owners, entityIds, since) {
      const told = [...kept.matches.values()]
        .filter(({ match }) => match.matchedAt >= (since ?? 0))
        .map(({ owner, match }) => ({ owner, entityId: match.entity.id }))
      const all = since === null ? [...told, ...kept.tallies] : told
      const found = all.filter((one) => owners.includes(one.owner) && entityIds.includes(one.entityId))
      return [...new Map(found.map(({ owner, entityId }) => [`${owner} ${entityId}`, { owner, entityId }])).values()]
    },
    async matchedEntities(owner, after, limit) {
      const told = [...kept.matches.values()].map((one) => ({ owner: one.owner, entityId: one.match.entity.id }))
      const ids = [...told, ...kept.tallies].filter((one) => one.owner === owner).map(({ entityId }) => entityId)
      return [...new Set(ids)]
        .filter((id) => id > after)
        .sort()
        .slice(0, limit)
    },
    async matchesOf(owner, entityId, after, limit) {
      return [...kept.matches.values()]
        .filter((one) => one.owner === owner && one.match.entity.id === entityId)
        .map(({ match, groups }) => ({ ...match, groups }))
        .filter(({ id }) => after === null || id > after)
        .toSorted((a, b) => byText(a.id, b.id))
        .slice(0, limit)
    },
    async states(owner, entityIds) {
      return [...kept.states.values()].filter((one) => one.owner === owner && entityIds.includes(one.entityId))
    },
    putStates: (states) =>
      write('states', () => {
        for (const one of states) putNewest(kept.states, `${one.owner} ${one.entityId}`, one)
      }),
    async lastVersion() {
      const all = [...kept.states.values(), ...kept.notes.values()]
      return all.reduce((last, { version }) => (version > last ? version : last), 0n)
    },
    async notes() {
      return new Map([...kept.notes].map(([name, { text }]) => [name, text]))
    },
    putNote: (name, text, version) => write('note', () => putNewest(kept.notes, name, { text, version })),
    forgetBefore: (owner, time) =>
      write('forgetBefore', () => {
        for (const [at, row] of kept.ledger) if (row.owner === owner && row.hour < time) kept.ledger.delete(at)
      }),
    forget: (owner) =>
      write('forget', () => {
        kept.tallies = kept.tallies.filter((one) => one.owner !== owner)
        for (const table of [kept.ledger, kept.matches, kept.states] as Map<string, { owner: string }>[])
          for (const [key, row] of table) if (row.owner === owner) table.delete(key)
      }),
  }
}

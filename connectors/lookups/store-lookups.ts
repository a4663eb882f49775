import { entityId } from '../../schemas/intelligence/entities/id.ts'
import { networksAround, sortNetworks } from '../../schemas/intelligence/propagation/networks.ts'
import type { PresentRow } from '../../schemas/intelligence/state/present.ts'
import type { History } from '../history/port.ts'
import {
  currentRows,
  type EntityRow,
  isInFolds,
  type LookedUpRow,
  latestRows,
  marksIn,
  type RecentRow,
  readableRowsByKey,
  recentRows,
  type ShownRow,
  shownRows,
  withId,
} from '../history/sql/queries/entities-queries.ts'
import { type LookedUp, lookedUpRows } from '../history/sql/queries/lookup-queries.ts'
import { networksOver } from '../history/sql/queries/networks-queries.ts'
import { keyBytes, rowsOfKeys } from '../history/stores/rows-by-key.ts'
import { sharedRows } from '../history/stores/shared-rows.ts'
import { type LookupSource, type Lookups, TooManyBytes } from './port.ts'

/** Addresses of one statement: each is cut to every length of a network. */
const ADDRESSES = 500
/** Bytes of the rows of one entity: as much as one statement may answer with. */
const MAX_BYTES = 512 * 1024 * 1024
/** Error code of the store for a query with rows that are too large. */
const TOO_LARGE = '396'

type Row = RecentRow & Partial<Pick<LookedUpRow, 'best' | 'worst' | 'attributes'>>
type Named<Of> = Of & { entity_id: string }

/** Look-ups that ask the store: some milliseconds of it for each call. */
export function storeLookups(history: Pick<History, 'query'>): Lookups {
  const shown = sharedRows<ShownRow>(async (keys, audiences, maxBytes = MAX_BYTES) =>
    (await history.query<LookedUpRow>(shownRows(keys, audiences, maxBytes))).map(withId),
  )
  const whole = sharedRows<EntityRow>((...asked) => history.query(readableRowsByKey(...asked)))

  /** Rows by value; those that stand in several audiences of one reader are read again with their claims. */
  async function byValue(rows: readonly Named<Row>[], audiences: readonly bigint[]) {
    const byEntity = Map.groupBy(latestRows(rows).filter(isInFolds), (row) => row.entity_id)
    const several = [...byEntity.values()].flatMap(([row, ...others]) => (others.length > 0 ? [row!] : []))
    const full = await rowsWithClaims(
      history,
      several.map((row) => row.entity_id),
      audiences,
    )
    const alone = [...byEntity.values()].flatMap((of) => (of.length === 1 ? [rowOf(of[0]!)] : []))
    return Map.groupBy([...alone, ...full], ({ value }) => value)
  }

  return {
    by: 'store',
    async rows(values, audiences) {
      const ids = Array.from(values, (value) => entityId('', value))
      const found = await rowsOfKeys<LookedUp>(history, ids, (keys) => lookedUpRows(keys, audiences))
      // Others have the same first bytes in their digest.
      return byValue(found.filter(({ value }) => values.has(value)).map(withId), audiences)
    },
    async wholeRows(values, audiences, maxBytes) {
      if (values.size === 0) return new Map()
      const ids = new Map(Array.from(values, (value) => [value, entityId('', value)]))
      const found = await history
        .query<LookedUpRow>(shownRows(keyBytes([...ids.values()]), audiences, maxBytes))
        .catch((error: { code?: unknown }) => {
          throw error.code === TOO_LARGE ? new TooManyBytes(`more than ${maxBytes} bytes of rows`) : error
        })
      const named = found.flatMap((row) => {
        const id = ids.get(row.value)
        return id === undefined ? [] : Object.assign(row, { entity_id: `${row.type}${id}` })
      })
      return byValue(named, audiences)
    },
    async entities(ids, audiences) {
      const known = await shown(audiences, ids)
      const found = new Map<string, readonly PresentRow[]>()
      const several: string[] = []
      for (const [id, rows] of known) {
        const [row, ...others] = latestRows(rows)
        if (others.length > 0) several.push(id)
        else found.set(id, [rowOf(row!)])
      }
      if (several.length > 0) for (const [id, rows] of await whole(audiences, several)) found.set(id, currentRows(rows))
      return found
    },
    async keyed(keys, audiences) {
      if (keys.length === 0) return []
      const found = await history.query<RecentRow>(recentRows(keys, audiences))
      return [...(await byValue(found.map(withId), audiences)).values()].flat()
    },
    async around(inner, audiences) {
      const found = new Map<string, readonly string[]>()
      for (let at = 0; at < inner.length; at += ADDRESSES) {
        const some = inner.slice(at, at + ADDRESSES)
        const addresses = some.map(({ value }) => value.split('/', 1)[0]!)
        const rows = await history.query<{ value: string }>(networksOver(addresses, audiences))
        for (const [value, networks] of networksAround(some, sortNetworks(rows)))
          found.set(value, others(value, networks))
      }
      return found
    },
  }
}

/** Look-ups of a process without an index. */
export function storeSource(history: Pick<History, 'query'>): LookupSource {
  const lookups = storeLookups(history)
  return { next: async () => lookups, store: lookups }
}

const others = (value: string, networks: readonly { value: string }[]): string[] =>
  networks.flatMap((network) => (network.value === value ? [] : [network.value]))

/** Rows that stand in several audiences of one reader, which are folded by their claims. */
async function rowsWithClaims(
  history: Pick<History, 'query'>,
  entityIds: readonly string[],
  audiences: readonly bigint[],
): Promise<PresentRow[]> {
  if (entityIds.length === 0) return []
  const wanted = new Set(entityIds)
  const rows = await rowsOfKeys<EntityRow>(history, entityIds, (keys) => readableRowsByKey(keys, audiences))
  return currentRows(rows.filter((row) => wanted.has(row.entity_id)))
}

/** A row alone: a fold of it is the row itself, whatever is empty here. */
const rowOf = (row: Named<Row>): PresentRow => ({
  ...NOTHING_BESIDE,
  ...marksIn(row.well_known),
  entityId: row.entity_id,
  type: row.type,
  value: row.value,
  audience: BigInt(row.audience),
  reputation: row.reputation,
  accuracy: row.accuracy,
  best: row.best ?? 0,
  worst: row.worst ?? 0,
  tags: row.tags,
  attributes: row.attributes ?? {},
  firstSeen: Number(row.first),
  lastSeen: Number(row.last),
})

const NOTHING_BESIDE = {
  verdict: null,
  attributeTimes: {},
  country: '',
  asn: 0,
  aso: '',
  scoredAt: 0,
  claims: [],
} as const satisfies Partial<PresentRow>

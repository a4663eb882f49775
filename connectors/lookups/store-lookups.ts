import { entityId } from '../../schemas/intelligence/entities/id.ts'
import { networksAround, sortNetworks } from '../../schemas/intelligence/propagation/networks.ts'
import type { PresentRow } from '../../schemas/intelligence/state/present.ts'
import type { History } from '../history/port.ts'
import {
  currentRows,
  type EntityRow,
  isInFolds,
  latestRows,
  marksIn,
  readableRowsByKey,
} from '../history/sql/queries/entities-queries.ts'
import { type LookedUp, lookedUpRows } from '../history/sql/queries/lookup-queries.ts'
import { networksOver } from '../history/sql/queries/networks-queries.ts'
import { rowsOfKeys } from '../history/stores/rows-by-key.ts'
import type { LookupSource, Lookups } from './port.ts'

/** Addresses of one statement: each is cut to every length of a network. */
const ADDRESSES = 500

/** Look-ups that ask the store: some milliseconds of it for each call. */
export function storeLookups(history: Pick<History, 'query'>): Lookups {
  return {
    by: 'store',
    async rows(values, audiences) {
      const ids = new Map(Array.from(values, (value) => [entityId('', value), value]))
      const found = await rowsOfKeys<LookedUp>(history, [...ids.keys()], (keys) => lookedUpRows(keys, audiences))
      // Others have the same first bytes in their digest.
      const named = found
        .filter(({ value }) => values.has(value))
        .map((row) => ({ ...row, entity_id: entityId(row.type, row.value) }))
      const byEntity = Map.groupBy(latestRows(named).filter(isInFolds), (row) => row.entity_id)
      const several = [...byEntity.values()].flatMap(([row, ...others]) => (others.length > 0 ? [row!] : []))
      const full = await rowsWithClaims(
        history,
        several.map((row) => row.entity_id),
        audiences,
      )
      const rows = [...byEntity.values()].flatMap((of) => (of.length === 1 ? [rowOf(of[0]!)] : []))
      return Map.groupBy([...rows, ...full], ({ value }) => value)
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
  return { next: async () => lookups }
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
function rowOf(row: LookedUp & { entity_id: string }): PresentRow {
  return {
    ...NOTHING_BESIDE,
    ...marksIn(row.well_known),
    entityId: row.entity_id,
    type: row.type,
    value: row.value,
    audience: BigInt(row.audience),
    reputation: row.reputation,
    accuracy: row.accuracy,
    tags: row.tags,
    firstSeen: Number(row.first),
    lastSeen: Number(row.last),
  }
}

const NOTHING_BESIDE = {
  best: 0,
  worst: 0,
  verdict: null,
  attributes: {},
  attributeTimes: {},
  country: '',
  asn: 0,
  aso: '',
  scoredAt: 0,
  claims: [],
} as const satisfies Partial<PresentRow>

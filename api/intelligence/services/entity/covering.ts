import type { History } from '../../../../connectors/history/port.ts'
import {
  type NetworkColumns,
  type NetworkRow,
  networkRows,
  networksAround,
  networksOf,
} from '../../../../connectors/history/sql/queries/networks-queries.ts'
import { GATHER_MS } from '../../../../connectors/history/stores/shared-rows.ts'
import { promiseCache } from '../../../../platform/promise-cache.ts'
import { waitingLines } from '../../../../platform/waiting-lines.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import {
  coveringNetworks,
  type SortedNetworks,
  sortNetworks,
} from '../../../../schemas/intelligence/propagation/networks.ts'
import type { Reader } from '../readers.ts'
import type { EntityViews } from './entity-views.ts'

/** A network that contains an address, as answers show it. */
export type Covering = {
  id: string
  value: string
  reputation: number
  accuracy: number
  wellKnown: boolean
  tags: string[]
  lastSeen: string
}

type ShownNetwork = Pick<NetworkRow, 'value' | 'reputation' | 'accuracy' | 'wellKnown' | 'lastSeen'> & {
  tags: readonly string[]
}

/**
 * Addresses up to which the store picks their networks (10 ms and the addresses times the lengths); for more it is
 * cheaper to read all networks of the reader.
 */
const FEW = 500
const TTL_MS = 1_000
/** Most networks read for one answer. A reader of more networks gets its answer by queries of `FEW` addresses each. */
const MAX_NETWORKS = 200_000
const MAX_CACHED = 4
/**
 * A reader with no more networks than this has them all in memory for a moment: reading them takes as long as looking up
 * one address, and the next request needs no query.
 */
const SMALL = 5_000
const MAX_SMALL_CACHED = 16
/** Networks for which one query reads and folds the views. */
const VIEWS = 2_000
/** Addresses of one question that shares its query with others of the same reader, and such questions of a query. */
const SHARED = { addresses: 4, atOnce: 1, most: 100, maxWaiting: 1_000, gatherMs: GATHER_MS }

type Waiting = {
  reader: Reader
  ips: readonly string[]
  answer: (networks: Promise<SortedNetworks<NetworkRow>>) => void
}

/** The cidr entities that addresses lie in, as far as a reader may know them (ADR 270). */
export function coverings(
  history: Pick<History, 'query'>,
  entities: Pick<EntityViews, 'views'>,
  now: () => number,
  { few = FEW, all: most = SMALL, ttlMs = TTL_MS } = {},
) {
  const small = cachedNetworks(most, MAX_SMALL_CACHED)
  const large = cachedNetworks(MAX_NETWORKS, MAX_CACHED)

  /** A network that stands in several audiences of the reader is what the claims of all of them make it. */
  async function foldNetworks(reader: Reader, rows: readonly NetworkRow[]): Promise<NetworkRow[]> {
    // Those of one network stand side by side.
    const several = new Set(rows.filter((row, i) => rows[i - 1]?.value === row.value).map((row) => row.value))
    if (several.size === 0) return rows.filter((row) => !row.metAlone)
    const ids = Array.from(several, (value) => entityId('cidr', value))
    const views: NetworkRow[] = []
    for (let at = 0; at < ids.length; at += VIEWS)
      for (const view of (await entities.views(reader, ids.slice(at, at + VIEWS))).values())
        views.push({ ...view, tags: [...view.tags], metAlone: false })
    return [...rows.filter((row) => !row.metAlone && !several.has(row.value)), ...views]
  }

  async function around(reader: Reader, ips: readonly string[]): Promise<SortedNetworks<NetworkRow>> {
    const [found] = await history.query<NetworkColumns>(networksAround(ips, reader.audiences, MAX_NETWORKS))
    return sortNetworks(await foldNetworks(reader, found === undefined ? [] : networkRows(found)))
  }

  const join = waitingLines<Waiting>(async (group) => {
    const networks = around(group[0]!.reader, [...new Set(group.flatMap(({ ips }) => ips))])
    for (const { answer } of group) answer(networks)
    await networks.catch(() => undefined)
  }, SHARED)

  /** Those around these addresses, and perhaps those around others. */
  function aroundTogether(reader: Reader, ips: readonly string[]): Promise<SortedNetworks<NetworkRow>> {
    if (ips.length > SHARED.addresses) return around(reader, ips)
    return new Promise((answer) => {
      if (!join(reader.audiences.join(), { reader, ips, answer })) answer(around(reader, ips))
    })
  }

  /** null when there are more than `most` of them. */
  async function allOf(reader: Reader, most: number): Promise<SortedNetworks<NetworkRow> | null> {
    const [found] = await history.query<NetworkColumns>(networksOf(reader.audiences, most + 1))
    const rows = found === undefined ? [] : networkRows(found)
    return rows.length > most ? null : sortNetworks(await foldNetworks(reader, rows))
  }

  function cachedNetworks(most: number, readers: number) {
    const cached = promiseCache<SortedNetworks<NetworkRow> | null>({ max: readers, ttlMs, now })
    return (reader: Reader) => cached.get(reader.audiences.join(), () => allOf(reader, most))
  }

  return {
    /**
     * Of each address, in its normal form, the networks that it is in: most specific first, at most 32. Addresses in no
     * network that the reader may know are absent. Meant for up to 10,000 addresses.
     */
    async covering(reader: Reader, ips: readonly string[]): Promise<Map<string, Covering[]>> {
      if (ips.length === 0) return new Map()
      const networks = (await small(reader)) ?? (ips.length > few ? await large(reader) : null)
      if (networks !== null) return showNetworks(coveringNetworks(ips, networks))
      const found = new Map<string, Covering[]>()
      for (let at = 0; at < ips.length; at += FEW) {
        const some = ips.slice(at, at + FEW)
        for (const [ip, by] of showNetworks(coveringNetworks(some, await aroundTogether(reader, some))))
          found.set(ip, by)
      }
      return found
    },
  }
}

export type Coverings = ReturnType<typeof coverings>

/** Networks that contain the queried address; null when the query is not an address. */
export async function aroundQuery(networks: Coverings, reader: Reader, query: string): Promise<Covering[] | null> {
  const ip = normalise('ip', query)
  return typeof ip === 'string' ? ((await networks.covering(reader, [ip])).get(ip) ?? []) : null
}

/** Turns rows into members of answers; addresses in the same network share one object. */
export function showNetworks(found: ReadonlyMap<string, readonly ShownNetwork[]>): Map<string, Covering[]> {
  const written = new Map<ShownNetwork, Covering>()
  const write = (row: ShownNetwork): Covering => {
    const before = written.get(row)
    if (before !== undefined) return before
    const { value, reputation, accuracy, wellKnown, tags, lastSeen } = row
    const id = entityId('cidr', value)
    const made = {
      id,
      value,
      reputation,
      accuracy,
      wellKnown,
      tags: [...tags],
      lastSeen: new Date(lastSeen).toISOString(),
    }
    written.set(row, made)
    return made
  }
  return new Map([...found].map(([ip, rows]) => [ip, rows.map(write)]))
}

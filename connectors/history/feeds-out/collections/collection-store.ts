import { randomUUID } from 'node:crypto'
import { type Deployment, storedTable } from '../../migrations/macros.ts'
import type { History } from '../../port.ts'
import {
  type EntityRow,
  entitiesDue,
  entitiesLeft,
  entitiesOf,
  feedsDue,
  type ListRow,
  lastClaim,
  objectsOf,
  type PlaceRow,
  type PlainRow,
  placesOfCollections,
  placesOfLists,
  type TextRow,
  textsAt,
} from '../../sql/feeds-out/collections-sql.ts'
import { removed } from '../../sql/feeds-out/epochs.ts'
import { type Claims, claimVersion, tokenAfter } from '../claim.ts'
import { addRows, claimIn, objectsBlock, rowOfClaim } from './collection-blocks.ts'
import type { CollectionStore } from './port.ts'
import { entitiesIn } from './rows.ts'

/**
 * Who may write the collections. Each has a name of its own here, as two may choose the same version.
 * @param home the database that belongs to no generation
 */
function collectionClaims(home: Pick<History, 'query' | 'insert'>) {
  const block = objectsBlock()
  const writer = randomUUID()

  async function last(): Promise<{ version: number; writer: string }> {
    const [row] = await home.query<{ claim: string }>(lastClaim)
    return claimIn(row!.claim)
  }

  /** Whether the last write or claim is the one of this version, of this writer. */
  async function holds(version: number): Promise<boolean> {
    const found = await last()
    return found.version === version && found.writer === writer
  }

  return {
    holds,
    rowOf: (version: number) => rowOfClaim(version, writer),

    claim: async (least: number): Promise<number> => {
      const claims: Claims = {
        of: 'collections',
        last: async () => BigInt((await last()).version),
        async put(version, token) {
          block.add(rowOfClaim(Number(version), writer))
          const claimed = block.finish()
          await home.insert('taxii_objects', claimed, token)
          block.recycle(claimed)
        },
        holds: (version) => holds(Number(version)),
      }
      return Number(await claimVersion(claims, BigInt(least)))
    },
  }
}

/** Ids of one query: some 90 characters each in its parameters. */
const IDS_A_QUERY = 5_000

type IdRow = { entity_id: string }

/**
 * The collections of feeds, as the job writes them.
 * @param home the database that belongs to no generation
 */
export function collectionStore(home: History, deployment: Deployment = { mode: 'single' }): CollectionStore {
  const claims = collectionClaims(home)
  const block = objectsBlock()

  async function inParts<Id, Row>(ids: readonly Id[], ask: (some: readonly Id[]) => Promise<Row[]>): Promise<Row[]> {
    const found: Row[] = []
    for (let i = 0; i < ids.length; i += IDS_A_QUERY)
      for (const row of await ask(ids.slice(i, i + IDS_A_QUERY))) found.push(row)
    return found
  }

  return {
    async lists() {
      const rows = await home.query<ListRow>(placesOfLists)
      return rows.map(({ feed, revision, list, reached }) => ({
        feed,
        revision,
        epoch: Number(list),
        sequence: Number(reached),
      }))
    },

    async places() {
      const rows = await home.query<PlaceRow>(placesOfCollections)
      return new Map(
        rows.map(({ feed, last, reached }) => [
          feed,
          { added: Number(last), sequence: reached === '0' ? null : Number(reached) - 1 },
        ]),
      )
    },

    claim: claims.claim,

    async write(writes, version, after) {
      for (const write of writes) addRows(block, write)
      block.add(claims.rowOf(version))
      const stored = block.finish()
      await home.insert('taxii_objects', stored, tokenAfter('collections', after))
      block.recycle(stored)
      return claims.holds(version)
    },

    async entities(feed, entityIds) {
      return entitiesIn(await inParts(entityIds, (some) => home.query<EntityRow>(entitiesOf(feed, some))))
    },

    async objects(feed, ids) {
      const rows = await inParts(ids, (some) => home.query<PlainRow>(objectsOf(feed, some)))
      return new Map(rows.map(({ id, place, digest }) => [id, { added: Number(place), digest: BigInt(digest) }]))
    },

    async texts(feed, places) {
      const rows = await inParts(places, (some) => home.query<TextRow>(textsAt(feed, some)))
      return new Map(rows.map(({ id, text }) => [id, text]))
    },

    async due(feed, since, until, limit) {
      const rows = await home.query<IdRow>(entitiesDue(feed, since, until, limit))
      return rows.map((row) => row.entity_id)
    },

    async feedsDue(since, until) {
      const rows = await home.query<{ feed: string }>(feedsDue(since, until))
      return new Set(rows.map(({ feed }) => feed))
    },

    async left(feed, epoch, limit) {
      const rows = await home.query<IdRow>(entitiesLeft(feed, epoch, limit))
      return rows.map((row) => row.entity_id)
    },

    async remove(feed) {
      await home.query(removed(storedTable('taxii_objects', deployment), feed))
    },
  }
}

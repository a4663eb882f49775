import { randomUUID } from 'node:crypto'
import type { FeedMember } from '../../../schemas/feeds-out/member.ts'
import { type Deployment, storedTable } from '../migrations/macros.ts'
import type { History, Query } from '../port.ts'
import {
  ALL_FEEDS,
  deltaOfRow,
  type FeedDeltaRow,
  type FeedMemberRow,
  memberOfRow,
} from '../sql/feeds-out/columns-sql.ts'
import { copied, type EpochRow, forgotten, removed, storedEpochs } from '../sql/feeds-out/epochs.ts'
import {
  deltasOf,
  headsOfFeeds,
  lastVersion,
  lastVersions,
  membersAtEnd,
  membersLeaving,
  membersOf,
  type PassedRow,
  passedOf,
  sizeOfEpoch,
} from '../sql/feeds-out/lists.ts'
import { compared, countOfDeltas, filled, merged, ranked } from '../sql/feeds-out/making.ts'
import { claimVersion, tokenAfter } from './claim.ts'
import { headsBy } from './heads.ts'
import { deltasBlock, membersBlock, rowOfClaim, rowOfDelta, rowOfHead, rowOfMember } from './list-blocks.ts'
import type { FeedStore } from './port.ts'
import { viewReader } from './view-reader.ts'

type LastRow = { feed: string; last: string; writer: string }

/**
 * Who may write the lists of feeds. Each has a name of its own here, as two may choose the same version.
 * @param home the database that belongs to no generation
 */
function feedClaims(home: Pick<History, 'query' | 'insert'>) {
  const members = membersBlock()
  const writer = randomUUID()
  const claim = (feed: string, version: bigint) => rowOfClaim(feed, version, writer)

  /** Whether the last write or claim is the one of this version, of this writer, for these feeds too. */
  async function holds(version: bigint, feeds: readonly string[] = []): Promise<boolean> {
    const rows = await home.query<LastRow>(lastVersions([ALL_FEEDS, ...feeds]))
    if (rows.find(({ feed }) => feed === ALL_FEEDS)?.writer !== writer) return false
    return rows.length === new Set(feeds).size + 1 && rows.every(({ last }) => BigInt(last) === version)
  }

  async function last(): Promise<bigint> {
    const [row] = await home.query<{ last: string }>(lastVersion)
    return BigInt(row!.last)
  }

  return {
    holds,
    /** The row of a write for all feeds. */
    rowOf: (version: bigint) => claim(ALL_FEEDS, version),

    claim: (least: bigint): Promise<bigint> => {
      let feeds: string[] = []
      return claimVersion(
        {
          of: 'feeds',
          last,
          async put(version, token) {
            // Each shard of a cluster drops for itself, so each feed is claimed where it is.
            feeds = (await headsBy(home, headsOfFeeds)).map(({ feed }) => feed.id)
            for (const feed of [ALL_FEEDS, ...feeds]) members.add(claim(feed, version))
            const block = members.finish()
            await home.insert('feed_members', block, token)
            members.recycle(block)
          },
          holds: (version) => holds(version, feeds),
        },
        least,
      )
    },
  }
}

/** Ids of one query: some 90 characters each in its parameters. */
const IDS_A_QUERY = 5_000

type SizeRow = { items: string; inside: string }

/**
 * The lists of feeds in the history store.
 * @param home the database that belongs to no generation, opened under its name `database`
 */
export function feedStore(home: History, database: string, deployment: Deployment = { mode: 'single' }): FeedStore {
  const tables = { members: storedTable('feed_members', deployment), deltas: storedTable('feed_deltas', deployment) }
  const claims = feedClaims(home)
  const members = membersBlock()
  const deltas = deltasBlock()

  const membersBy = async (query: Query): Promise<FeedMember[]> =>
    (await home.query<FeedMemberRow>(query)).map(memberOfRow)

  return {
    heads: () => headsBy(home, headsOfFeeds),
    claim: claims.claim,
    isLast: (version) => claims.holds(version),

    async write(writes, version, after) {
      // Those of a step that does not happen give way to those of whoever claimed the lists meanwhile, whatever its clock.
      const told = after + 1n
      for (const { head, deltas: all } of writes)
        for (const delta of all) deltas.add(rowOfDelta(head.feed.id, told, delta))
      const block = deltas.finish()
      await home.insert('feed_deltas', block, `feeds:${version}`)
      deltas.recycle(block)
      for (const { head, members: moved } of writes) {
        const epoch = head.held?.epoch ?? head.epoch
        for (const member of moved) members.add(rowOfMember(head.feed.id, epoch, version, member))
        members.add(rowOfHead(0, version, head))
        if (head.epoch !== 0) members.add(rowOfHead(head.epoch, version, head))
      }
      members.add(claims.rowOf(version))
      const stored = members.finish()
      await home.insert('feed_members', stored, tokenAfter('feeds', after))
      members.recycle(stored)
      const feeds = writes.map(({ head }) => head.feed.id)
      return claims.holds(version, feeds)
    },

    async members(feed, epoch, entityIds) {
      const found = new Map<string, FeedMember>()
      for (let i = 0; i < entityIds.length; i += IDS_A_QUERY)
        for (const member of await membersBy(membersOf(feed, epoch, entityIds.slice(i, i + IDS_A_QUERY))))
          found.set(member.item.entityId, member)
      return found
    },

    async edge(feed, epoch, n) {
      const [listed, left] = await Promise.all([
        membersBy(membersAtEnd(feed, epoch, 'listed', n)),
        membersBy(membersAtEnd(feed, epoch, 'left', n)),
      ])
      return { listed, left }
    },

    leaving: (feed, of, until, limit) => membersBy(membersLeaving(feed, of, until, limit)),

    async fill({ feed, epoch, reason, at }, { database: live, rules, groups, selector }, version) {
      const history = home.at(live)
      const reader = await viewReader(history, groups)
      const place = { home: database, feed, epoch, version }
      await history.query(filled(place, { reader, rules, selector, now: at }, { reason, at }))
    },

    async merge({ feed, epoch, cap, at }, from, version) {
      await home.query(merged({ feed, epoch, version }, from, cap, at))
    },

    async copy(feed, epoch, from, version) {
      await home.query(copied({ feed, epoch, version }, from))
    },

    async put({ feed, epoch }, moved, version) {
      for (const member of moved) members.add(rowOfMember(feed, epoch, version, member))
      const block = members.finish()
      await home.insert('feed_members', block, `feeds:${feed}:${epoch}:${version}`)
      members.recycle(block)
    },

    async rank({ feed, epoch, cap }, version) {
      const size = async () => {
        const [row] = await home.query<SizeRow>(sizeOfEpoch(feed, epoch))
        return { items: Number(row!.items), inside: Number(row!.inside) }
      }
      const before = await size()
      if (cap === null || before.items <= cap) return before
      await home.query(ranked({ feed, epoch, version }, cap))
      return size()
    },

    async compare({ feed, epoch, reason, at }, old, sequence, version) {
      await home.query(compared({ feed, epoch, version }, old, sequence, { reason, at }))
      const [row] = await home.query<{ n: string }>(countOfDeltas(feed, sequence, version))
      return Number(row!.n)
    },

    async deltas(feed, after, to, limit) {
      const rows = await home.query<FeedDeltaRow>(deltasOf(feed, after, to, limit))
      return rows.map(deltaOfRow)
    },

    async passed(feed, by, limit) {
      const rows = await home.query<PassedRow>(passedOf(feed, by, limit))
      return rows
        .toReversed()
        .map(({ entity_id: entityId, added, stored }) => ({ entityId, added: added === 1, storedAt: stored * 1_000 }))
    },

    async epochs() {
      const rows = await home.query<EpochRow>(storedEpochs)
      return rows.map(({ feed, epoch, gone }) => ({ feed, epoch: Number(epoch), gone: Number(gone) }))
    },

    async forget(feed, before, but) {
      await home.query(forgotten(tables.members, feed, before, but))
    },

    async remove(feed) {
      for (const table of Object.values(tables)) await home.query(removed(table, feed))
    },
  }
}

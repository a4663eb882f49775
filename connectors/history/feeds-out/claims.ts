import { randomUUID } from 'node:crypto'
import type { History } from '../port.ts'
import { ALL_FEEDS } from '../sql/feeds-out/columns.ts'
import { headsOfFeeds, lastVersion, lastVersions } from '../sql/feeds-out/lists.ts'
import { membersBlock, rowOfClaim } from './blocks.ts'
import { claimVersion } from './claim.ts'
import { headsBy } from './heads.ts'

type LastRow = { feed: string; last: string; writer: string }

/**
 * Who may write the lists of feeds. Each has a name of its own here, as two may choose the same version.
 * @param home the database that belongs to no generation
 */
export function feedClaims(home: Pick<History, 'query' | 'insert'>) {
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

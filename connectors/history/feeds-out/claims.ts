import { randomUUID } from 'node:crypto'
import type { History } from '../port.ts'
import { ALL_FEEDS } from '../sql/feeds-out/columns.ts'
import { headsOfFeeds, lastVersion, lastVersions } from '../sql/feeds-out/lists.ts'
import { membersBlock, rowOfClaim } from './blocks.ts'
import { headsBy } from './heads.ts'

/** Claims that lose to a write under way are made again so often: one process alone writes, and it is about to end. */
const CLAIMS = 10

/**
 * The token of what follows a write. The table drops a second block with the same token when it commits it, so of all
 * that would follow a write, one is stored: whoever stores a block under this token first ends what others have under
 * way, however late that comes (ADR 207).
 * @param nth above 1: the tokens before it are used up, and what they were used for is not there
 */
export const tokenAfter = (version: bigint, nth = 1): string => `feeds:${version}${nth === 1 ? '' : `:${nth}`}`

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

    async claim(least: bigint): Promise<bigint> {
      let after = await last()
      for (let [claims, nth] = [0, 1]; claims < CLAIMS; claims++) {
        const version = least > after ? least : after + 1n
        // Each shard of a cluster drops for itself, so each feed is claimed where it is.
        const feeds = (await headsBy(home, headsOfFeeds)).map(({ feed }) => feed.id)
        for (const feed of [ALL_FEEDS, ...feeds]) members.add(claim(feed, version))
        const block = members.finish()
        await home.insert('feed_members', block, tokenAfter(after, nth))
        members.recycle(block)
        if (await holds(version, feeds)) return version
        const found = await last()
        // A store that died in the middle may remember a token and have lost its block.
        nth = found === after ? nth + 1 : 1
        after = found
      }
      throw new Error('others write the lists of feeds')
    },
  }
}

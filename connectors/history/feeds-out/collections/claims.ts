import { randomUUID } from 'node:crypto'
import type { History } from '../../port.ts'
import { lastClaim } from '../../sql/feeds-out/collections.ts'
import { claimIn, objectsBlock, rowOfClaim } from './blocks.ts'

/** Claims that lose to a write under way are made again so often: one process alone writes, and it is about to end. */
const CLAIMS = 10

/**
 * The token of what follows a write: the table takes one block under it, however late others come (ADR 207).
 * @param nth above 1: the tokens before it are used up, and what they were used for is not there
 */
export const tokenAfter = (version: number, nth = 1): string => `collections:${version}${nth === 1 ? '' : `:${nth}`}`

/**
 * Who may write the collections. Each has a name of its own here, as two may choose the same version.
 * @param home the database that belongs to no generation
 */
export function collectionClaims(home: Pick<History, 'query' | 'insert'>) {
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

    async claim(least: number): Promise<number> {
      let after = (await last()).version
      for (let [claims, nth] = [0, 1]; claims < CLAIMS; claims++) {
        const version = Math.max(least, after + 1)
        block.add(rowOfClaim(version, writer))
        const claimed = block.finish()
        await home.insert('taxii_objects', claimed, tokenAfter(after, nth))
        block.recycle(claimed)
        if (await holds(version)) return version
        const found = (await last()).version
        // A store that died in the middle may remember a token and have lost its block.
        nth = found === after ? nth + 1 : 1
        after = found
      }
      throw new Error('others write the collections of feeds')
    },
  }
}

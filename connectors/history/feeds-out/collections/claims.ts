import { randomUUID } from 'node:crypto'
import type { History } from '../../port.ts'
import { lastClaim } from '../../sql/feeds-out/collections.ts'
import { type Claims, claimVersion } from '../claim.ts'
import { claimIn, objectsBlock, rowOfClaim } from './blocks.ts'

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

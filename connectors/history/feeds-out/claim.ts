/** A table of which one process at a time is the writer: each write follows the one before under a token (ADR 274). */

/** Claims that lose to a write under way are made again so often: one process alone writes, and it is about to end. */
const CLAIMS = 10

/**
 * The token of what follows a write. The table drops a second block with the same token when it commits it, so of all
 * that would follow a write, one is stored: whoever stores a block under this token first ends what others have under
 * way, however late that comes (ADR 274).
 * @param of what is written; tokens of one kind share a table
 * @param nth above 1: the tokens before it are used up, and what they were used for is not there
 */
export const tokenAfter = (of: 'feeds' | 'collections', version: bigint | number, nth = 1): string =>
  `${of}:${version}${nth === 1 ? '' : `:${nth}`}`

export type Claims = {
  of: Parameters<typeof tokenAfter>[0]
  /** The version of the last write or claim. */
  last(): Promise<bigint>
  /** Stores the claim of a version under a token. */
  put(version: bigint, token: string): Promise<void>
  /** Whether the last write or claim is the one of this version, of this writer. */
  holds(version: bigint): Promise<boolean>
}

/**
 * Makes this process the writer.
 * @param least the lowest version that is to be claimed
 * @returns the version that was claimed
 * @throws when others write again and again
 */
export async function claimVersion({ of, last, put, holds }: Claims, least: bigint): Promise<bigint> {
  let after = await last()
  for (let [claims, nth] = [0, 1]; claims < CLAIMS; claims++) {
    const version = least > after ? least : after + 1n
    await put(version, tokenAfter(of, after, nth))
    if (await holds(version)) return version
    const found = await last()
    // A store that died in the middle may remember a token and have lost its block.
    nth = found === after ? nth + 1 : 1
    after = found
  }
  throw new Error(`others write the ${of === 'feeds' ? 'lists' : 'collections'} of feeds`)
}

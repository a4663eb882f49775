import type { ScoredClaim } from '../score.ts'

/** Claims that stand together, the sum of their weights, the lowest and the highest reputation. */
type Block = { claims: ScoredClaim[]; weights: number[]; weight: number; low: number; high: number }

/** Stated claims by the time of their last sighting, earliest first; of one moment by source. */
export type Lane = {
  readonly size: number
  readonly blocks: readonly Readonly<Block>[]
  /** The n-th from the end, from 0; undefined when there are fewer. */
  last(n: number): ScoredClaim | undefined
  first(): ScoredClaim | undefined
  put(claim: ScoredClaim, weight: number): void
  /** The very claim must be there. @throws Error when it is not */
  remove(claim: ScoredClaim): void
}

/** A block is searched and added up again at each change, and all blocks at each score: about the root of the claims. */
const BLOCK = 64

const isBefore = (a: ScoredClaim, b: ScoredClaim): boolean => a.at < b.at || (a.at === b.at && a.source < b.source)

/** The first place in a sorted list whose item is not before the claim. */
function placeOf<T>(items: readonly T[], claimOf: (item: T) => ScoredClaim, claim: ScoredClaim): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(claimOf(items[middle]!), claim)) low = middle + 1
    else high = middle
  }
  return low
}

const itself = (claim: ScoredClaim): ScoredClaim => claim
const lastOf = ({ claims }: Block): ScoredClaim => claims[claims.length - 1]!

/**
 * Sums of blocks are made anew from their weights, never kept running: so they do not depend on what was there before.
 * A change costs about the root of the number of claims.
 */
export function lane(): Lane {
  const blocks: Block[] = []
  let size = 0

  function blockOf(claims: ScoredClaim[], weights: number[]): Block {
    const block = { claims, weights, weight: 0, low: 3, high: -3 }
    addUp(block)
    return block
  }

  function addUp(block: Block): void {
    const { claims, weights } = block
    let [weight, low, high] = [0, 3, -3]
    for (let i = 0; i < claims.length; i++) {
      const reputation = claims[i]!.reputation!
      weight += weights[i]!
      if (reputation < low) low = reputation
      if (reputation > high) high = reputation
    }
    block.weight = weight
    block.low = low
    block.high = high
  }

  function split(at: number): void {
    const { claims, weights } = blocks[at]!
    blocks.splice(at + 1, 0, blockOf(claims.splice(BLOCK), weights.splice(BLOCK)))
  }

  /** Blocks that became short are joined with the next, so that there are never many of them. */
  function join(at: number): void {
    const [block, next] = [blocks[at], blocks[at + 1]]
    if (block === undefined || next === undefined || block.claims.length + next.claims.length > BLOCK) return
    block.claims.push(...next.claims)
    block.weights.push(...next.weights)
    blocks.splice(at + 1, 1)
    addUp(block)
  }

  return {
    blocks,
    get size() {
      return size
    },
    first: () => blocks[0]?.claims[0],
    last(n) {
      let left = n
      for (let i = blocks.length - 1; i >= 0; i--) {
        const { claims } = blocks[i]!
        if (left < claims.length) return claims[claims.length - 1 - left]
        left -= claims.length
      }
      return undefined
    },
    put(claim, weight) {
      size++
      const at = Math.min(placeOf(blocks, lastOf, claim), Math.max(0, blocks.length - 1))
      const block = blocks[at]
      // What comes last fills its block and begins the next one.
      if (block === undefined || (block.claims.length >= BLOCK && isBefore(lastOf(block), claim))) {
        blocks.push(blockOf([claim], [weight]))
        return
      }
      const place = placeOf(block.claims, itself, claim)
      block.claims.splice(place, 0, claim)
      block.weights.splice(place, 0, weight)
      if (block.claims.length > 2 * BLOCK) split(at)
      addUp(block)
    },
    remove(claim) {
      const at = placeOf(blocks, lastOf, claim)
      const block = blocks[at]
      const place = block === undefined ? -1 : placeOf(block.claims, itself, claim)
      if (block?.claims[place] !== claim) throw new Error(`the claim of ${claim.source} is not in its lane`)
      size--
      block.claims.splice(place, 1)
      block.weights.splice(place, 1)
      if (block.claims.length === 0) blocks.splice(at, 1)
      else addUp(block)
      join(block.claims.length === 0 ? at - 1 : at)
    },
  }
}

import type { Claim } from './entity-state.ts'

/** The claims of a row at one point of its history: made when they are asked for. */
export type ClaimsThen = () => readonly Claim[]

/** The claims of one row by their sources, while observations change them one by one. */
export type ClaimLedger = {
  readonly size: number
  of(source: string): Claim | undefined
  /** In place of what its source claimed, and last of all. @returns the claims as they are after it, whatever comes later */
  put(claim: Claim): ClaimsThen
}

/** What the claims were, and what was put since. */
type Chapter = { began: readonly Claim[]; put: Claim[] }

/**
 * A list of thousands of claims is not copied for every observation that changes one of them: each of the lists is what
 * there was in the beginning and how much was put since, and only those that somebody reads are ever made.
 * @returns null when two of the claims have one source
 */
export function claimLedger(claims: readonly Claim[]): ClaimLedger | null {
  const bySource = new Map(claims.map((claim) => [claim.source, claim]))
  if (bySource.size !== claims.length) return null
  let chapter: Chapter = { began: claims, put: [] }

  /** The claims as of now begin a chapter: what was put before is only kept while somebody may ask for it. */
  function turnOver(): readonly Claim[] {
    chapter = { began: [...bySource.values()], put: [] }
    return chapter.began
  }

  return {
    get size() {
      return bySource.size
    },
    of: (source) => bySource.get(source),
    put(claim) {
      if (chapter.put.length > bySource.size) turnOver()
      move(bySource, claim)
      const length = chapter.put.push(claim)
      let then: Chapter | null = chapter
      let made: readonly Claim[] = []
      return () => {
        if (then !== null) made = then === chapter && length === then.put.length ? turnOver() : replayed(then, length)
        // The list is enough: what was claimed before is not to stay in memory for it.
        then = null
        return made
      }
    },
  }
}

/** A map keeps the order in which keys were put. */
function move(bySource: Map<string, Claim>, claim: Claim): void {
  bySource.delete(claim.source)
  bySource.set(claim.source, claim)
}

function replayed({ began, put }: Chapter, length: number): readonly Claim[] {
  const bySource = new Map(began.map((claim) => [claim.source, claim]))
  for (let i = 0; i < length; i++) move(bySource, put[i]!)
  return [...bySource.values()]
}

import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { weigh } from '../../../schemas/intelligence/scoring/weights.ts'
import type { ScoredRow } from '../../../schemas/intelligence/state/entity-state.ts'

type NewScore = { reputation: number; accuracy: number }
type MovedRow = { before: ScoredRow; after: NewScore }

/** How many rows changed by each amount: `[-6..6, count]`, without unchanged rows. */
export type Moves = Record<string, Record<number, number>>

/** A claim of a mover and what it counts under both rules. */
export type MoverClaim = { source: string; kind: string; reputation: number; before: number; after: number }
export type Mover = {
  entityId: string
  type: string
  audience: string
  from: number
  to: number
  /** The strongest three, by the greater of both weights. */
  claims: MoverClaim[]
}

/** What other rules would change. A row is an entity as one audience knows it. */
export type Difference = {
  entities: number
  rows: number
  /** Rows with another reputation, with another accuracy. */
  reputation: number
  accuracy: number
  /** Rows that become malicious (a reputation below 0), and that are no longer. */
  becomeMalicious: number
  becomeHarmless: number
  /** Rows by reputation before, then after. */
  matrix: Record<number, Record<number, number>>
  byType: Moves
  /** A row counts for each kind of source that claims something of it. */
  bySourceKind: Moves
  movers: Mover[]
}

export const REPUTATIONS = [-3, -2, -1, 0, 1, 2, 3] as const
const STRONGEST = 3

/** Adds up what `after` changes, row by row, in memory that does not grow with them. */
export function difference(before: ScoringRules, after: ScoringRules, top: number) {
  const matrix = Object.fromEntries(REPUTATIONS.map((r) => [r, Object.fromEntries(REPUTATIONS.map((to) => [to, 0]))]))
  const sums = { rows: 0, reputation: 0, accuracy: 0, becomeMalicious: 0, becomeHarmless: 0 }
  const byType: Moves = {}
  const bySourceKind: Moves = {}
  let entities = 0
  let movers: MovedRow[] = []

  const keepGreatest = (): void => {
    movers = movers.sort(byDistance).slice(0, top)
  }

  return {
    /** Rows of entities of which no other row comes later. */
    add(rows: readonly (readonly [ScoredRow, NewScore])[]): void {
      entities += new Set(rows.map(([row]) => row.entityId)).size
      for (const [row, scored] of rows) {
        sums.rows++
        if (row.accuracy !== scored.accuracy) sums.accuracy++
        matrix[row.reputation]![scored.reputation]!++
        const by = scored.reputation - row.reputation
        if (by === 0) continue
        sums.reputation++
        if (row.reputation >= 0 && scored.reputation < 0) sums.becomeMalicious++
        if (row.reputation < 0 && scored.reputation >= 0) sums.becomeHarmless++
        count(byType, row.type, by)
        const kinds = new Set(row.claims.flatMap((claim) => (claim.reputation === null ? [] : claim.kind)))
        for (const kind of kinds) count(bySourceKind, kind, by)
        movers.push({ before: row, after: scored })
        if (movers.length >= 1_000 + 2 * top) keepGreatest()
      }
    },
    result(): Difference {
      keepGreatest()
      const described = movers.map((moved) => moverOf(moved, before, after))
      return { entities, ...sums, matrix, byType, bySourceKind, movers: described }
    },
  }
}

function count(moves: Moves, name: string, by: number): void {
  const of = moves[name] ?? {}
  moves[name] = of
  of[by] = (of[by] ?? 0) + 1
}

const distance = ({ before, after }: MovedRow): number => Math.abs(after.reputation - before.reputation)

/** The greatest first; then in an order that does not follow from the way through the rows. */
const byDistance = (a: MovedRow, b: MovedRow): number =>
  distance(b) - distance(a) ||
  (a.before.entityId < b.before.entityId ? -1 : Number(a.before.entityId > b.before.entityId)) ||
  (a.before.audience < b.before.audience ? -1 : 1)

function moverOf({ before: row, after: scored }: MovedRow, before: ScoringRules, after: ScoringRules): Mover {
  const [old, fresh] = [before, after].map((rules) => {
    const { claims } = weigh(row.type, row.claims, row.scoredAt, rules)
    return new Map(claims.map(({ claim, weight }) => [claim, weight]))
  })
  const claims = row.claims.flatMap((claim): MoverClaim[] => {
    const { source, kind, reputation } = claim
    return reputation === null
      ? []
      : [{ source, kind, reputation, before: old!.get(claim)!, after: fresh!.get(claim)! }]
  })
  claims.sort((a, b) => Math.max(b.before, b.after) - Math.max(a.before, a.after) || (a.source < b.source ? -1 : 1))
  const { entityId, type, audience } = row
  return {
    entityId,
    type,
    audience: String(audience),
    from: row.reputation,
    to: scored.reputation,
    claims: claims.slice(0, STRONGEST),
  }
}

import { type Tally, tallyOf } from '../../../../schemas/intelligence/scoring/many/tally.ts'
import { scoreOfTally } from '../../../../schemas/intelligence/scoring/many/tally-score.ts'
import { BUILT_IN, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { type ClaimsThen, claimLedger } from '../../../../schemas/intelligence/state/claim-ledger.ts'
import type { Claim, EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type DecidedBy, type ScoreColumns, scoreColumns, shownColumns } from './score-columns.ts'

/** From so many sources on, a book costs less than going through all claims of the row. */
const LARGE = 32

/** Stands for claims that nobody has asked for yet. */
const UNREAD: readonly Claim[] = Object.freeze([])

/**
 * The claims of a row of many sources, found and added up without going through all of them. It is a copy of what the
 * row says in another form: a row without one gets one from its claims, and nothing is decided by it that would be
 * decided otherwise without it (ADR 269).
 */
export type ClaimBook = {
  readonly rules: ScoringRules
  of(source: string): Claim | undefined
  /**
   * Enters a claim in place of what its source claimed.
   * @returns the columns as of `scoredAt` (unix milliseconds), which is never earlier than before; their claims are
   * those of `claims`, which the row is given by `keepBook`
   */
  put(claim: Claim, scoredAt: number, row: DecidedBy): ScoreColumns
  /** The claims as they are after the last one that was put. */
  claims(): ClaimsThen
}

/** What stands beside a row: its claims, and its book until that was moved on to the row after it. */
type Beside = { book: ClaimBook | null; claims: ClaimsThen }

/** Gone with their rows. null: a row that follows from all of its claims, and may be the first of many. */
const beside = new WeakMap<EntityState, Beside | null>()

/** An own property like any other, so that copies and comparisons of the row have the claims. */
const CLAIMS: PropertyDescriptor & ThisType<EntityState> = {
  get() {
    return beside.get(this)!.claims()
  },
  enumerable: true,
  configurable: true,
}

/**
 * The book of a row, to be moved on to the row after it (`keepBook`); null when its sources are few, and for the first
 * record of a row that was read from the store, as most of them have no second one. The row itself has no book any more:
 * if it is wanted again, as after a failed write, another one is made of its claims.
 */
export function bookOf(row: EntityState, rules: ScoringRules = BUILT_IN): ClaimBook | null {
  if (row.sources < LARGE) return null
  const known = beside.get(row)
  if (known === undefined) return null
  const book = known?.book ?? null
  if (known === null || book?.rules !== rules) return newBook(row, rules)
  known.book = null
  return book
}

/** The row follows from the last claim that was put into its book: it gets its claims, and the book for the row after it. */
export function keepBook(row: EntityState, book: ClaimBook | null): void {
  if (book === null) {
    if (row.sources >= LARGE) beside.set(row, null)
    return
  }
  beside.set(row, { book, claims: book.claims() })
  Object.defineProperty(row, 'claims', CLAIMS)
}

function newBook({ type, claims, scoredAt }: EntityState, rules: ScoringRules): ClaimBook | null {
  const ledger = claimLedger(claims)
  if (ledger === null) return null
  let tally: Tally = tallyOf(type, claims, scoredAt, rules)
  let then: ClaimsThen = () => claims

  function enter(claim: Claim, now: number): void {
    const before = ledger!.of(claim.source)
    then = ledger!.put(claim)
    if (!tally.serves(now)) tally = tallyOf(type, then(), now, rules)
    else {
      tally.advance(now)
      if (before !== undefined) tally.remove(before)
      tally.put(claim)
    }
  }

  return {
    rules,
    of: ledger.of,
    put(claim, scoredAt, row) {
      enter(claim, scoredAt)
      const told = scoreOfTally(tally, scoredAt)
      if (told === null) return scoreColumns(type, then(), scoredAt, row, rules)
      const { reputation, accuracy, best, worst, next } = told
      const columns = {
        reputation,
        accuracy,
        best,
        worst,
        sources: ledger.size,
        scoredAt,
        due: next ?? 0,
        claims: UNREAD,
      }
      return shownColumns(columns, row)
    },
    claims: () => then,
  }
}

import type { ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState, ScoredRow } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type FoldedRow, fold } from '../../../../schemas/intelligence/state/entity-view.ts'
import { scoreOf } from '../rescore.ts'

/** So many rows have 63 folds. An entity of more is told of where it may be in vain. */
const MOST_ROWS = 6

type Row = ScoredRow & Pick<EntityState, 'value' | 'retracted'>

/**
 * Whether some reader is shown another score of an entity under other rules: a reader of any of these rows, in which the
 * scores are those of `after`, or of several of them.
 */
export function scoreDiffers(rows: readonly Row[], before: ScoringRules, after: ScoringRules): boolean {
  const [first, ...others] = rows
  if (first === undefined) return false
  if (others.length === 0) return isOther(scoreOf(first, before), first)
  if (rows.length > MOST_ROWS) return true
  const folded = rows.map((row): [FoldedRow, FoldedRow] => [
    { ...NOTHING_ELSE, ...row, ...scoreOf(row, before) },
    { ...NOTHING_ELSE, ...row },
  ])
  for (let readable = 1; readable < 2 ** rows.length; readable++) {
    const read = folded.filter((_, i) => (readable >> i) % 2 === 1)
    const was = fold(
      read.map(([row]) => row),
      before,
    )
    const is = fold(
      read.map(([, row]) => row),
      after,
    )
    if (isOther(was, is)) return true
  }
  return false
}

type Score = Pick<EntityState, 'reputation' | 'accuracy'>

const isOther = (a: Score, b: Score): boolean => a.reputation !== b.reputation || a.accuracy !== b.accuracy

/** What of a row no score follows from. */
const NOTHING_ELSE = {
  best: 0,
  worst: 0,
  tags: [],
  attributes: {},
  attributeTimes: {},
  country: '',
  asn: 0,
  aso: '',
  firstSeen: 0,
  lastSeen: 0,
  met: false,
}

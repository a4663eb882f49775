import type { Link, ObservationKind } from '../observations/observation.ts'
import { scoringOf } from '../scoring/fold-rules.ts'
import type { ScoringRules } from '../scoring/rules.ts'
import type { Change, ChangedRow, ShownRow, ShownScore } from './change.ts'
import { type ChangedView, folded, shownAlone } from './changed-view.ts'

/** What changes of a view (decisions 10.2). */
export const CHANGE_KINDS = ['created', 'scored', 'updated', 'marked', 'unmarked', 'linked'] as const

export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** Why it changed (decisions 10.2). */
export const CHANGE_REASONS = ['reported', 'faded', 'retracted', 'marked', 'unmarked', 'verdict', 'rescored'] as const

export type ChangeReason = (typeof CHANGE_REASONS)[number]

export type ViewChange = {
  /** None when only the times of its sightings are others. */
  kinds: ChangeKind[]
  reason: ChangeReason
  /** null: the reader knew nothing of the entity. */
  before: ChangedView | null
  after: ChangedView
  /**
   * Relations that the record states, none when the reader may not read the record. They may be known: one is new to the
   * reader when the store has the offset of the change as its first (`LinkStore`).
   */
  links: readonly Link[]
  /** Without its links this were no change: nothing else that is shown is another. */
  linksAlone: boolean
}

const REASONS: Readonly<Record<ObservationKind, ChangeReason>> = {
  report: 'reported',
  well_known: 'marked',
  covered: 'marked',
  retraction: 'retracted',
  tick: 'faded',
  unmark: 'unmarked',
  uncovered: 'unmarked',
  verdict: 'verdict',
  rescored: 'rescored',
  match: 'reported',
}

const NO_LINKS: readonly never[] = []

type Reads = (audience: readonly string[]) => boolean

/**
 * What a change is to a reader, by the rows that it reads (decisions 10.1): null when it reads none of them, or nothing
 * that it is shown is another; 'wide' when it reads several whose claims the change does not carry. Rows that the reader
 * does not read have no part in it. The first change of any row that it reads since the scoring rules became others also
 * tells what these did: the view before is that under the rules of before (ADR 271).
 * @param reads whether the reader is in one of these groups
 * @param rules by which rows were scored where the change does not say it, as in older releases (ADR 271)
 */
export function viewChange(change: Change, reads: Reads, rules?: ScoringRules): ViewChange | 'wide' | null {
  const rows = change.rows.filter(({ audience }) => reads(audience))
  if (!rows.some(({ step }) => step !== 'same')) return null
  const known = rows.filter(({ step }) => step !== 'created')
  // Nothing counts of an entity that only a match has told the reader of, as none should.
  if (known.length === 0 && rows.every(({ after }) => after.retracted)) return null
  const untold = isUntold(rows)
  if (rows.length === 1) return changeOfOne(change, rows[0]!, untold, reads)
  if (change.wide) return change.cause === 'rescored' && !untold ? null : 'wide'
  const { foldedBy } = change
  const present = foldedBy === null ? rules : scoringOf(foldedBy.after)
  const after = folded(change, rows, ({ after }) => after, present)
  const same = known.length === 0 ? null : folded(change, known, (row) => row.before ?? row.after, present)
  const former = untold && foldedBy?.before ? scoringOf(foldedBy.before) : present
  const before = untold ? folded(change, known, shownBefore, former) : same
  const described = before !== null && !sameValues(before.attributes, after.attributes)
  const seen = isSeen(before, after)
  const rescored = untold && !sameScores(before!, same!)
  return told(change, before, after, { described, seen, rescored, ended: rows.some(isEnded), reads })
}

/**
 * What a wide change is to a reader of several of its rows, whose view is read where it is stored.
 * @param before the view as it was last read; null when it is not known: then what the rows say of themselves is told, and
 * nothing of the view before
 */
export function wideChange(
  change: Change,
  reads: Reads,
  before: ChangedView | null,
  after: ChangedView,
): ViewChange | null {
  const rows = change.rows.filter(({ audience }) => reads(audience))
  const changed = rows.filter(({ step }) => step !== 'same')
  const described = changed.some((row) => row.described)
  const why = whyOf(rows)
  if (before !== null) return told(change, before, after, { described, seen: isSeen(before, after), ...why, reads })
  const links = change.links.length > 0 && reads(change.audience) ? change.links : NO_LINKS
  const kinds = rows.every(({ step }) => step === 'created')
    ? kindsOf(null, after, false)
    : [...new Set(changed.flatMap((row) => kindsOfRow(change, row, isUntold(rows))))]
  const linksAlone = kinds.length === 0
  if (linksAlone && links.length === 0) return null
  if (links.length > 0) kinds.push('linked')
  return { kinds, reason: reasonOf(change, kinds, why), before, after, links, linksAlone }
}

const isSeen = (before: ChangedView | null, after: ChangedView): boolean =>
  before?.lastSeen !== after.lastSeen || before.firstSeen !== after.firstSeen

/** A row beside others that is created has at least something to say of the view. */
const kindsOfRow = (change: Change, row: ChangedRow, untold: boolean): ChangeKind[] =>
  row.before === null
    ? row.after.retracted
      ? []
      : ['updated']
    : kindsOf(shownAlone(change, untold ? shownBefore(row) : row.before), shownAlone(change, row.after), row.described)

/** A single row is its own fold: nearly every entity has one. */
function changeOfOne(change: Change, row: ChangedRow, untold: boolean, reads: Reads): ViewChange | null {
  const { after, described, was } = row
  if (!row.told && change.links.length === 0 && (!untold || sameScores(was!, after))) return null
  const before = row.step === 'created' ? null : shownAlone(change, untold ? shownBefore(row) : (row.before ?? after))
  const rescored = untold && !sameScores(was!, row.before ?? after)
  const ended = isEnded(row)
  return told(change, before, shownAlone(change, after), { described, seen: row.told, rescored, ended, reads })
}

/** Whether none of these rows was touched since the scoring rules became others: a reader of them knows no other score. */
function isUntold(rows: readonly ChangedRow[]): boolean {
  const known = rows.filter(({ step }) => step !== 'created')
  return known.length > 0 && known.every(({ was }) => was !== null)
}

/** Under the scoring rules of before. */
const shownBefore = ({ before, after, was }: ChangedRow): ShownRow => ({ ...(before ?? after), ...was })

const sameScores = (a: ShownScore, b: ShownScore): boolean => a.reputation === b.reputation && a.accuracy === b.accuracy

type Told = { described: boolean; seen: boolean; rescored: boolean; ended: boolean; reads: Reads }

function told(
  change: Change,
  before: ChangedView | null,
  after: ChangedView,
  { described, seen, rescored, ended, reads }: Told,
): ViewChange | null {
  const links = change.links.length > 0 && reads(change.audience) ? change.links : NO_LINKS
  const kinds = kindsOf(before, after, described)
  const linksAlone = kinds.length === 0 && !seen
  if (linksAlone && links.length === 0) return null
  if (links.length > 0) kinds.push('linked')
  return { kinds, reason: reasonOf(change, kinds, { rescored, ended }), before, after, links, linksAlone }
}

/** What was reported or faded meanwhile says less than that the rules are others; what was decided says more. */
function reasonOf(
  { cause }: Change,
  kinds: readonly ChangeKind[],
  { rescored, ended }: Pick<Told, 'rescored' | 'ended'>,
): ChangeReason {
  if (ended) return 'verdict'
  const outdone = cause === 'report' || cause === 'match' || cause === 'tick'
  return rescored && outdone && kinds.includes('scored') ? 'rescored' : REASONS[cause]
}

/** The same without what other scoring rules did, for who learns of these otherwise: the lists of feeds are made anew. */
export const withoutRescoring = (change: Change): Change =>
  change.rows.some(({ was }) => was !== null)
    ? { ...change, rows: change.rows.map((row) => (row.was === null ? row : { ...row, was: null })) }
    : change

/** Whether a verdict ended or was taken back, whatever made the record: time alone is no fading of a score then. */
const isEnded = (row: ChangedRow): boolean =>
  row.before !== null && row.before.verdict !== null && row.after.verdict === null

/** Why the view of such a reader changes by a change that is wide to it. */
export const wideReason = (change: Change, reads: Reads): ChangeReason =>
  reasonOf(change, ['scored'], whyOf(change.rows.filter(({ audience }) => reads(audience))))

/** The same, by what these rows say each for itself. */
const whyOf = (rows: readonly ChangedRow[]): Pick<Told, 'rescored' | 'ended'> => ({
  rescored: isUntold(rows) && rows.some(({ was, before, after }) => was !== null && !sameScores(was, before ?? after)),
  ended: rows.some(isEnded),
})

/** Without `linked`. */
function kindsOf(before: ChangedView | null, after: ChangedView, described: boolean): ChangeKind[] {
  const kinds: ChangeKind[] = []
  if (before === null) kinds.push('created')
  else {
    if (!sameScores(before, after)) kinds.push('scored')
    const returned = before.retracted !== after.retracted && kinds.length === 0
    if (described || returned || !sameTags(before.tags, after.tags)) kinds.push('updated')
  }
  const turned = (now: boolean): boolean =>
    (['wellKnown', 'covered'] as const).some((mark) => after[mark] === now && (before?.[mark] ?? false) !== now)
  if (turned(true)) kinds.push('marked')
  if (turned(false)) kinds.push('unmarked')
  return kinds
}

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((tag, i) => tag === b[i]))

function sameValues(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(b)
  return names.length === Object.keys(a).length && names.every((name) => a[name] === b[name])
}

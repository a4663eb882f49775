import { audienceId } from '../observations/audience.ts'
import type { Link, ObservationKind } from '../observations/observation.ts'
import { scoringOf } from '../scoring/fold-rules.ts'
import type { ScoringRules } from '../scoring/rules.ts'
import type { Change, ChangedRow, ShownRow, StatedAttribute } from './change.ts'
import { type EntityView, type FoldedRow, fold } from './entity-view.ts'

/** What changes of a view (decisions 10.2). */
export type ChangeKind = 'created' | 'scored' | 'updated' | 'marked' | 'unmarked' | 'linked'

/** Why it changed (decisions 10.2). */
export const CHANGE_REASONS = ['reported', 'faded', 'retracted', 'marked', 'unmarked', 'verdict', 'rescored'] as const

export type ChangeReason = (typeof CHANGE_REASONS)[number]

/** Of a view, what a change carries. */
export type ChangedView = Pick<
  EntityView,
  | 'entityId'
  | 'type'
  | 'value'
  | 'reputation'
  | 'accuracy'
  | 'wellKnown'
  | 'covered'
  | 'tags'
  | 'country'
  | 'asn'
  | 'firstSeen'
  | 'lastSeen'
> & {
  /** Every report that the reader may read was taken back. */
  retracted: boolean
}

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
}

const NO_LINKS: readonly never[] = []

type Reads = (audience: readonly string[]) => boolean

/**
 * What a change is to a reader, by the rows that it reads (decisions 10.1): null when it reads none of them, or nothing
 * that it is shown is another; 'wide' when it reads several whose claims the change does not carry. Rows that the reader
 * does not read have no part in it. The first change of any row that it reads since the scoring rules became others also
 * tells what these did: the view before is that under the rules of before (ADR 217).
 * @param reads whether the reader is in one of these groups
 * @param rules by which rows were scored where the change does not say it, as before ADR 217
 */
export function viewChange(change: Change, reads: Reads, rules?: ScoringRules): ViewChange | 'wide' | null {
  const rows = change.rows.filter(({ audience }) => reads(audience))
  if (!rows.some(({ step }) => step !== 'same')) return null
  const known = rows.filter(({ step }) => step !== 'created')
  const untold = known.length > 0 && known.every(({ was }) => was !== null)
  if (rows.length === 1) return changeOfOne(change, rows[0]!, untold, reads)
  if (change.wide) return change.cause === 'rescored' && !untold ? null : 'wide'
  const { foldedBy } = change
  const present = foldedBy === null ? rules : scoringOf(foldedBy.after)
  const after = folded(change, rows, ({ after }) => after, present)
  const same = known.length === 0 ? null : folded(change, known, (row) => row.before ?? row.after, present)
  const former = untold && foldedBy?.before ? scoringOf(foldedBy.before) : present
  const before = untold ? folded(change, known, shownBefore, former) : same
  const described = before !== null && !sameValues(before.attributes, after.attributes)
  const seen = before?.lastSeen !== after.lastSeen || before.firstSeen !== after.firstSeen
  const rescored = untold && !sameScores(before!, same!)
  return told(change, before, after, { described, seen, rescored, ended: rows.some(isEnded), reads })
}

/** A single row is its own fold: nearly every entity has one. */
function changeOfOne(change: Change, row: ChangedRow, untold: boolean, reads: Reads): ViewChange | null {
  const { after, described, was } = row
  if (!row.told && change.links.length === 0 && (!untold || sameScores(was!, after))) return null
  const before = row.step === 'created' ? null : shownAlone(change, untold ? shownBefore(row) : (row.before ?? after))
  const rescored = untold && !sameScores(was!, row.before ?? after)
  const ended = isEnded(row)
  return told(change, before, shownAlone(change, after), { described, seen: row.told, rescored, ended, reads })
}

/** Under the scoring rules of before. */
const shownBefore = ({ before, after, was }: ChangedRow): ShownRow => ({ ...(before ?? after), ...was })

type Score = Pick<ShownRow, 'reputation' | 'accuracy'>

const sameScores = (a: Score, b: Score): boolean => a.reputation === b.reputation && a.accuracy === b.accuracy

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
  const outdone = cause === 'report' || cause === 'tick'
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

/** Field by field: spreading costs more than all of the rest. */
const shownAlone = ({ entityId, type, value }: Change, row: ShownRow): ChangedView => ({
  entityId,
  type,
  value,
  reputation: row.reputation,
  accuracy: row.accuracy,
  wellKnown: row.wellKnown,
  covered: row.covered,
  tags: row.tags,
  country: row.country,
  asn: row.asn,
  firstSeen: row.firstSeen,
  lastSeen: row.lastSeen,
  retracted: row.retracted,
})

type Shown = EntityView & { retracted: boolean }

function folded(
  change: Change,
  rows: readonly ChangedRow[],
  shown: (row: ChangedRow) => ShownRow,
  rules: ScoringRules | undefined,
): Shown {
  const { entityId, type, value } = change
  const view = fold(
    rows.map((row): FoldedRow => {
      const { attributes, ...of } = shown(row)
      const stated = Object.entries(attributes)
      return {
        entityId,
        type,
        value,
        ...of,
        audience: audienceId(row.audience),
        attributes: valuesOf(stated, ({ value }) => value),
        attributeTimes: valuesOf(stated, ({ time }) => time),
        // No change says these.
        best: 0,
        worst: 0,
        aso: '',
      }
    }),
    rules,
  )
  return { ...view, retracted: rows.every((row) => shown(row).retracted) }
}

const valuesOf = <T>(stated: [string, StatedAttribute][], of: (attribute: StatedAttribute) => T): Record<string, T> =>
  Object.fromEntries(stated.map(([name, attribute]) => [name, of(attribute)]))

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

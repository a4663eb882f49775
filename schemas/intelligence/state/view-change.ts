import { audienceId } from '../observations/audience.ts'
import type { Link, ObservationKind } from '../observations/observation.ts'
import type { ScoringRules } from '../scoring/rules.ts'
import type { Change, ChangedRow, ShownRow, StatedAttribute } from './change.ts'
import { type EntityView, type FoldedRow, fold } from './entity-view.ts'

/** What changes of a view (decisions 10.2). */
export const CHANGE_KINDS = ['created', 'scored', 'updated', 'marked', 'unmarked', 'linked'] as const

export type ChangeKind = (typeof CHANGE_KINDS)[number]

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
}

const NO_LINKS: readonly never[] = []

type Reads = (audience: readonly string[]) => boolean

/**
 * What a change is to a reader, by the rows that it reads (decisions 10.1): null when it reads none of them, or nothing
 * that it is shown is another; 'wide' when it reads several whose claims the change does not carry. Rows that the reader
 * does not read have no part in it.
 * @param reads whether the reader is in one of these groups
 * @param rules by which the rows were scored
 */
export function viewChange(change: Change, reads: Reads, rules?: ScoringRules): ViewChange | 'wide' | null {
  const rows = change.rows.filter(({ audience }) => reads(audience))
  if (!rows.some(({ step }) => step !== 'same')) return null
  if (rows.length === 1) return changeOfOne(change, rows[0]!, reads)
  if (change.wide) return 'wide'
  const known = rows.filter(({ step }) => step !== 'created')
  const after = folded(change, rows, ({ after }) => after, rules)
  const before = known.length === 0 ? null : folded(change, known, (row) => row.before ?? row.after, rules)
  const described = before !== null && !sameValues(before.attributes, after.attributes)
  const seen = isSeen(before, after)
  return told(change, before, after, { described, seen, ended: rows.some(isEnded), reads })
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
  const ended = rows.some(isEnded)
  if (before !== null) return told(change, before, after, { described, seen: isSeen(before, after), ended, reads })
  const links = change.links.length > 0 && reads(change.audience) ? change.links : NO_LINKS
  const kinds = rows.every(({ step }) => step === 'created')
    ? kindsOf(null, after, false)
    : [...new Set(changed.flatMap((row) => kindsOfRow(change, row)))]
  const linksAlone = kinds.length === 0
  if (linksAlone && links.length === 0) return null
  if (links.length > 0) kinds.push('linked')
  return { kinds, reason: ended ? 'verdict' : REASONS[change.cause], before, after, links, linksAlone }
}

const isSeen = (before: ChangedView | null, after: ChangedView): boolean =>
  before?.lastSeen !== after.lastSeen || before.firstSeen !== after.firstSeen

/** A row beside others that is created has at least something to say of the view. */
const kindsOfRow = (change: Change, { before, after, described }: ChangedRow): ChangeKind[] =>
  before === null ? ['updated'] : kindsOf(shownAlone(change, before), shownAlone(change, after), described)

/** A single row is its own fold: nearly every entity has one. */
function changeOfOne(change: Change, row: ChangedRow, reads: Reads): ViewChange | null {
  if (!row.told && change.links.length === 0) return null
  const before = row.step === 'created' ? null : shownAlone(change, row.before ?? row.after)
  const after = shownAlone(change, row.after)
  return told(change, before, after, { described: row.described, seen: row.told, ended: isEnded(row), reads })
}

function told(
  change: Change,
  before: ChangedView | null,
  after: ChangedView,
  { described, seen, ended, reads }: { described: boolean; seen: boolean; ended: boolean; reads: Reads },
): ViewChange | null {
  const links = change.links.length > 0 && reads(change.audience) ? change.links : NO_LINKS
  const kinds = kindsOf(before, after, described)
  const linksAlone = kinds.length === 0 && !seen
  if (linksAlone && links.length === 0) return null
  if (links.length > 0) kinds.push('linked')
  return { kinds, reason: ended ? 'verdict' : REASONS[change.cause], before, after, links, linksAlone }
}

/** Whether a verdict ended or was taken back, whatever made the record: time alone is no fading of a score then. */
const isEnded = (row: ChangedRow): boolean =>
  row.before !== null && row.before.verdict !== null && row.after.verdict === null

/** Why the view of such a reader changes by a change that is wide to it. */
export const wideReason = ({ cause, rows }: Change, reads: Reads): ChangeReason =>
  rows.some((row) => reads(row.audience) && isEnded(row)) ? 'verdict' : REASONS[cause]

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
    if (before.reputation !== after.reputation || before.accuracy !== after.accuracy) kinds.push('scored')
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

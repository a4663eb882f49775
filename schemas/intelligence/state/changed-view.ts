import { audienceId } from '../observations/audience.ts'
import type { ScoringRules } from '../scoring/rules.ts'
import type { Change, ChangedRow, ShownRow, StatedAttribute } from './change.ts'
import { type EntityView, type FoldedRow, fold } from './entity-view.ts'

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

/** The only row of an entity, as far as a change would carry it: it is its own fold. */
export type LoneRow = ChangedView & { audience: bigint }

/** Field by field: spreading costs more than all of the rest. */
export const shownAlone = ({ entityId, type, value }: Change, row: ShownRow): ChangedView => ({
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

/** What a reader of several of these rows is shown, as far as the change says it. */
export function folded(
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

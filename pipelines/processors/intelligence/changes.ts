import { type Change, type ChangeKind, changeId, type Mark } from '../../../schemas/intelligence/state/change.ts'
import type { EntityState, EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../schemas/intelligence/state/stored.ts'
import type { ObserveResult } from './observe-result.ts'

/** A change as what it follows from: a batch holds one for every record, and the record of the log is made of it last. */
export type PendingChange = {
  record: Positioned
  /** The row after the record. */
  row: EntityState
  kind: ChangeKind
  /** How many changes the record gave before. */
  n: number
  previousReputation: number | null
  mark: Mark | null
}

const NONE: readonly never[] = []

/**
 * What an observation changed, audience by audience, and its links when it was kept. Pure, and the same whenever the
 * observation is applied to the same rows, in whatever order they come. `before`: the rows of the entity until then.
 */
export function changesOf(before: EntityStates, { rows, kept }: ObserveResult, record: Positioned): PendingChange[] {
  const changes: PendingChange[] = []
  const add = (row: EntityState, kind: ChangeKind, previousReputation: number | null, mark: Mark | null): void =>
    void changes.push({ record, row, kind, n: changes.length, previousReputation, mark })

  for (const row of rows.length > 1 ? rows.toSorted(byAudience) : rows) {
    const old = before.find((r) => r.audience === row.audience)
    if (old === undefined) add(row, 'created', null, null)
    else if (old.reputation !== row.reputation || old.accuracy !== row.accuracy)
      add(row, 'scored', old.reputation, null)
    if (row.wellKnown && old?.wellKnown !== true) add(row, 'marked', null, 'well_known')
    if (row.covered && old?.covered !== true) add(row, 'marked', null, 'covered')
  }
  if (kept !== null && record.observation.links.length > 0) {
    // The row of its own audience: only one that is kept has links (validate.ts).
    const own = rows.find((row) => row.audience === record.audience)
    if (own !== undefined) add(own, 'linked', null, null)
  }
  return changes
}

/** Rows stand in another order once they were read from the store, and ids follow from the order. */
const byAudience = (a: EntityState, b: EntityState): number =>
  a.audience < b.audience ? -1 : Number(a.audience > b.audience)

/** Audiences that are notified although the record is not theirs: a mark concerns every audience of its entity. */
export function audiencesOf(changes: readonly PendingChange[]): Set<bigint> {
  const others = new Set<bigint>()
  for (const { row, record } of changes) if (row.audience !== record.audience) others.add(row.audience)
  return others
}

/**
 * The record for the log.
 * @param groups of every audience of `audiencesOf`
 * @throws Error when they lack one
 */
export function changeOf(
  { record, row, kind, n, ...rest }: PendingChange,
  groups: ReadonlyMap<bigint, readonly string[]>,
) {
  const { observation: o, partition, offset } = record
  const own = row.audience === record.audience
  const audience = own ? o.audience : groups.get(row.audience)
  if (audience === undefined) throw new Error(`the groups of the audience ${row.audience} are not stored`)
  const change: Change = {
    id: changeId(partition, offset, n),
    kind,
    entityId: o.entityId,
    type: o.type,
    value: o.value,
    audience,
    reputation: row.reputation,
    accuracy: row.accuracy,
    previousReputation: rest.previousReputation,
    // What one audience said is not for the others.
    tags: own && (kind === 'created' || kind === 'scored') ? o.tags : NONE,
    links: kind === 'linked' ? o.links : NONE,
    mark: rest.mark,
    sourceKind: o.sourceKind,
    observedAt: o.observedAt,
    partition,
    offset,
  }
  return change
}

import type { EntityState, EntityStates } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { CountDelta, Positioned } from '../../../../schemas/intelligence/state/stored.ts'
import { countDeltas } from '../counts.ts'
import type { ObserveRules } from '../observe.ts'
import { applyRecord, isSilent, type SilentKind, type Sinks } from './apply-record.ts'

/** What a batch knows of one entity. */
export type Place = {
  /** Its rows before the batch. */
  stored: EntityStates
  /** Its rows as of the last record. */
  rows: EntityStates
  /** Records of the batch that may still change it. */
  left: number
  /** Whether its rows are asked for after the batch; the others are let go with the last record of their entity. */
  keep: boolean
}

export type Folded = {
  deltas: CountDelta[]
  /** System records and retractions that were applied: they have no effect other than on rows. */
  silent: Record<SilentKind, number>
  /** Records that had been applied before, or had nothing to change. */
  skipped: number
}

const NONE: EntityStates = []

/** A place whose last record is still to come. */
export const newPlace = (stored: EntityStates, keep: boolean): Place => ({ stored, rows: stored, left: 1, keep })

/**
 * Folds a batch of one partition, in log order, record by record: a row goes to `sinks.rows` after the last record of its
 * entity, so a batch of many entities never holds all of them (ADR 265). Pure but for places and sinks; the same batch
 * over the same places gives the same rows in the same order.
 * `sinks.entities` is given all rows of an entity of which one changed.
 * @param places of all entities of the batch; each counts its records, those too that `records` leaves out
 * @param placeOf that of the record which `records` gave last
 * @param every whether rows that did not change go to `sinks.rows` too
 */
export function foldBatch(
  places: ReadonlyMap<string, Place>,
  records: Iterable<Positioned>,
  placeOf: (record: Positioned) => Place,
  rules: ObserveRules,
  sinks: Sinks & { rows: { push(row: EntityState): unknown }; entities?: { push(rows: EntityStates): unknown } | null },
  every = false,
): Folded {
  const counts = countDeltas()
  const silent = { covered: 0, tick: 0, retraction: 0, unmark: 0, uncovered: 0, rescored: 0 }
  let skipped = 0

  function complete(place: Place): void {
    if (sinks.entities && place.rows.length > 0 && (every || place.rows !== place.stored))
      sinks.entities.push(place.rows)
    for (const row of place.rows) {
      const old = place.stored.length === 0 ? undefined : place.stored.find((r) => r.audience === row.audience)
      if (old !== row) counts.replace(old, row)
      if (every || old !== row) sinks.rows.push(row)
    }
    place.left = 0
    if (place.keep) return
    place.stored = NONE
    place.rows = NONE
  }

  for (const record of records) {
    const { kind } = record.observation
    const place = placeOf(record)
    const rows = applyRecord(place.rows, record, rules, sinks)
    if (rows === null) skipped++
    else {
      place.rows = rows
      if (isSilent(kind)) silent[kind]++
    }
    place.left--
    if (place.left === 0) complete(place)
  }
  // Those whose last record was left out.
  for (const place of places.values()) if (place.left > 0) complete(place)
  return { deltas: [...counts.deltas()], silent, skipped }
}

import { expect, test } from 'vitest'
import { foldBatch, newPlace, type Place } from '../../../../../../pipelines/processors/intelligence/rows/fold-batch.ts'
import type { EntityState } from '../../../../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../../../../schemas/intelligence/state/stored.ts'
import { observation } from '../../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }

/** Records of these addresses, one after another. */
const records = (values: readonly string[]): Positioned[] =>
  values.map((value, offset) => ({ observation: observation({ value }), partition: 0, offset, audience: 1n }))

/** Folds records over new places, each kept or not; `more`: what a place still waits for beside them. */
function folded(given: readonly Positioned[], { keep = false, more = 0, every = false } = {}) {
  const places = new Map<string, Place>()
  for (const { observation: o } of given) {
    const known = places.get(o.entityId)
    if (known === undefined) places.set(o.entityId, { ...newPlace([], keep), left: 1 + more })
    else known.left++
  }
  const events: string[] = []
  const rows: EntityState[] = []
  const sinks = {
    history: { push: ({ offset }: { offset: number }) => events.push(`record ${offset}`) },
    rows: {
      push(row: EntityState): void {
        rows.push(row)
        events.push(`row ${row.value}`)
      },
    },
    edges: [],
    audiences: new Map(),
    retractions: [],
    changes: null,
  }
  const { deltas } = foldBatch(places, given, (record) => places.get(record.observation.entityId)!, rules, sinks, every)
  return { events, rows, deltas, places }
}

test('a row goes on its way after the last record of its entity, and is let go', () => {
  const { events, places } = folded(records(['192.0.2.1', '192.0.2.2', '192.0.2.1']))
  expect(events.filter((e) => e.startsWith('row'))).toEqual(['row 192.0.2.2', 'row 192.0.2.1'])
  expect([...places.values()].every(({ rows, left }) => rows.length === 0 && left === 0)).toBe(true)
})

test('a row that is wanted after the batch stays', () => {
  const { places, rows } = folded(records(['192.0.2.1']), { keep: true })
  expect([...places.values()].map((place) => place.rows)).toEqual([rows])
})

test('a row whose last record could not be applied goes with the end of the batch', () => {
  const all = folded(records(['192.0.2.1', '192.0.2.2']))
  const late = folded(records(['192.0.2.1', '192.0.2.2']), { more: 1 })
  expect(late.rows).toEqual(all.rows)
  expect(late.deltas).toEqual(all.deltas)
})

test('rows that did not change are handed over only where all are asked for', () => {
  const given = records(['192.0.2.1'])
  const [row] = folded(given).rows
  const again = (every: boolean) => {
    const place = newPlace([row!], true)
    const rows: EntityState[] = []
    const sinks = { history: [], rows, edges: [], audiences: new Map(), retractions: [], changes: null }
    const { skipped } = foldBatch(new Map([[row!.entityId, place]]), given, () => place, rules, sinks, every)
    return { rows, skipped }
  }
  expect(again(false)).toEqual({ rows: [], skipped: 1 })
  expect(again(true)).toEqual({ rows: [row], skipped: 1 })
})

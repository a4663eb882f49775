import { describe, expect, test } from 'vitest'
import { encodeEntity, readEntry, readsOf } from '../../../../../../connectors/lookups/index/entry.ts'
import { applyBatch } from '../../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../../../pipelines/processors/intelligence/changes.ts'
import { indexedChanges } from '../../../../../../pipelines/processors/intelligence/rows/indexed.ts'
import { seededRandom } from '../../../../../../platform/random.ts'
import { audienceId } from '../../../../../../schemas/intelligence/observations/audience.ts'
import type { Change } from '../../../../../../schemas/intelligence/state/change.ts'
import type { EntityStates } from '../../../../../../schemas/intelligence/state/entity-state.ts'
import type { PresentRow } from '../../../../../../schemas/intelligence/state/present.ts'
import { positioned, replayedChanges } from '../../../../../builders/intelligence/changes.ts'
import { HOUR } from '../../../../../builders/intelligence/observation.ts'
import { differencesOf, subsets } from '../../../../../builders/lookups/looked-up.ts'
import { AUDIENCES, randomObservations } from '../../../../../builders/lookups/random-observations.ts'
import { longer } from '../../../../../builders/platform/longer.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const READERS = subsets(AUDIENCES.map((groups) => audienceId(groups)))
const changesAfter = (...all: Parameters<typeof positioned>[0]): Change[] => replayedChanges(positioned(all), rules)

/** The rows that an entry has of an entity for a reader. */
function rowsIn(entry: Buffer | null, value: string, entityId: string, reader: readonly bigint[]): PresentRow[] {
  const found: PresentRow[] = []
  if (entry !== null) readEntry(entry, { value, digest: entityId.slice(-64) }, readsOf(reader), found)
  return found
}

describe('an index that has the last change of an entity', () => {
  test.each([
    ['ip', '8.8.8.8'],
    ['cidr', '8.8.8.0/24'],
  ])('shows every reader what the rows show, whatever was observed of the %s', (type, value) => {
    for (let seed = 1; seed <= longer(15); seed++) {
      const next = randomObservations(seededRandom(seed), [{ type, value }])
      const indexed = indexedChanges()
      const groups = new Map<bigint, readonly string[]>()
      let states: ReadonlyMap<string, EntityStates> = new Map()
      let entry: Buffer | null = null
      const told: string[] = []
      for (let offset = 0; offset < 60; offset++) {
        const observation = next()
        const audience = audienceId(observation.audience)
        const record = { observation, partition: 0, offset, audience, loggedAt: observation.observedAt }
        const applied = applyBatch(states, [record], rules)
        for (const [id, those] of applied.audiences) groups.set(id, those)
        states = new Map([...states, ...applied.states])
        for (const change of applied.changes) {
          const bytes = encodeEntity(indexed(withGroups(change, groups))!)
          entry = bytes && Buffer.from(bytes)
        }
        told.push(`${observation.kind} ${observation.audience} ${observation.reputation} ${observation.observedAt}`)
        const rows = states.get(observation.entityId) ?? []
        for (const reader of READERS) {
          const stored = rows.filter((row) => reader.includes(row.audience))
          const found = rowsIn(entry, value, observation.entityId, reader)
          const different = differencesOf(found, stored)
          if (different.length > 0) expect(different, `seed ${seed}\n${told.join('\n')}`).toEqual([])
        }
      }
    }
  })
})

test('what a record of an older release does not say is read where it is stored', () => {
  const [change] = changesAfter({ type: 'cidr', value: '8.8.8.0/24' })
  const { rows } = change!
  const old = rows.map((row) => ({ ...row, after: { ...row.after, covers: null } }))
  const indexed = indexedChanges()
  expect(indexed(change!)).toMatchObject({ type: 'cidr', wide: false, rows: [{ covers: false }] })
  expect(indexed({ ...change!, rows: [] })).toBeNull()
  expect(indexed({ ...change!, rows: old })).toBeNull()
  // What covers nothing in any release is known without.
  expect(indexed({ ...change!, type: 'ip', rows: old })).toMatchObject({ rows: [{ covers: false }] })
})

test('rows stand under the ids of their audiences, of however many there are', () => {
  const indexed = indexedChanges()
  for (let i = 0; i < 10_010; i++) {
    const audience = [`group-${i}`]
    const [change] = i < 10 || i >= 10_000 ? changesAfter({ audience }) : [null]
    if (change) expect(indexed(change)!.rows.map((row) => row.audience)).toEqual([audienceId(audience)])
  }
})

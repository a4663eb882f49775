import { expect, test } from 'vitest'
import { gatheredChanges } from '../../../../../pipelines/jobs/intelligence/gathered-changes.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../../pipelines/processors/intelligence/changes.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { observation } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }) }
const groups = new Map([
  [1n, ['public']],
  [2n, ['team']],
])

/** Two audiences report an entity, whose changes have the rows of both from then on. */
const { changes } = applyBatch(
  new Map(),
  [
    { observation: observation(), partition: 0, offset: 0, audience: 1n },
    { observation: observation({ audience: ['team'] }), partition: 0, offset: 1, audience: 2n },
    { observation: observation({ kind: 'well_known', reputation: 0 }), partition: 0, offset: 2, audience: 1n },
    { observation: observation({ value: '192.0.2.1' }), partition: 0, offset: 3, audience: 1n },
  ],
  rules,
)

test('changes with rows of other audiences stand in their place among those that were written at once', () => {
  const encode = encoder<Change>(records.change, 1)
  const gathered = gatheredChanges(1)
  for (const change of changes) gathered.push(change)
  expect(gathered.audiences()).toEqual(new Set([1n, 2n]))
  expect(gathered.messages(groups)).toEqual(
    changes.map((change) => ({ key: change.change.entityId, value: encode(withGroups(change, groups)) })),
  )
})

test('nothing is made of a change whose groups are not known', () => {
  const gathered = gatheredChanges(1)
  for (const change of changes) gathered.push(change)
  expect(() => gathered.messages(new Map())).toThrow('are not stored')
})

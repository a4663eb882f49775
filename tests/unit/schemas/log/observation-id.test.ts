import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { observationIdOf } from '../../../../schemas/log/observation-id.ts'
import { observation } from '../../../builders/intelligence/observation.ts'
import { encodeObservation } from '../../../builders/log/sent-observations.ts'

test('the id of a record is read without the rest of it', () => {
  const id = randomUUID()
  expect(observationIdOf(encodeObservation({ ...observation(), id }))).toBe(id)
})

test('what is no record of an observation has none', () => {
  for (const bytes of [null, Buffer.alloc(0), Buffer.alloc(41), Buffer.from('x'.repeat(100))])
    expect(observationIdOf(bytes)).toBeNull()
})

import { expect, test } from 'vitest'
import { encoder } from '../../../../schemas/log/codec.ts'
import { recordRun } from '../../../../schemas/log/record-run.ts'
import { records } from '../../../../schemas/log/records.ts'
import { observation } from '../../../builders/intelligence/observation.ts'

test('a run holds the bytes of every record, past the memory that it began with', () => {
  const run = recordRun(records.observation, 7)
  const encode = encoder(records.observation, 7)
  const given = Array.from({ length: 200 }, (_, i) => observation({ attributes: { text: 'x'.repeat(i * 50) } }))
  for (const one of given) run.push(one)
  expect(run.length).toBe(given.length)
  for (const [i, one] of given.entries()) expect(run.at(i)).toEqual(encode(one))
})

test('a record that does not fit leaves the run as it was', () => {
  const run = recordRun(records.observation, 7)
  run.push(observation())
  expect(() => run.push({ ...observation(), value: 1 } as never)).toThrow('value is missing or invalid')
  run.push(observation({ value: '9.9.9.9' }))
  expect(run.at(1)).toEqual(encoder(records.observation, 7)(observation({ value: '9.9.9.9' })))
})

import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { DIGEST_BYTES, firstOnes } from '../../../../../../pipelines/processors/match/columns/digests.ts'
import { partOf } from '../../../../../builders/history/match-model/columns.ts'

const given = { feed: '', at: 1, kind: null, host: null, user: null, ref: null, fields: { query: ['a.example'] } }

test('an event is known by the SHA-256 of its owner and its id, of whatever length', () => {
  const events = ['o', 'p', 'o', `customer:${'x'.repeat(3_000)}`].flatMap((owner) =>
    ['a', 'ü'.repeat(255), 'a'].map((id) => ({ ...given, owner, id })),
  )
  const { digests } = partOf(events)
  const expected = events.map(({ owner, id }) => hash('sha256', `${owner}\n${id}`, 'hex').slice(0, 2 * DIGEST_BYTES))
  expect(digests.toString('hex')).toBe(expected.join(''))
  expect([...firstOnes(digests)]).toEqual([1, 1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0])
  expect([...firstOnes(Buffer.alloc(0))]).toEqual([])
})

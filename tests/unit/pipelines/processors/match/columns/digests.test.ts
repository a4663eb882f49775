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

test('digests that were chosen to share their low bits are not looked at many times each', () => {
  const size = 4_000
  const digests = Buffer.alloc(size * DIGEST_BYTES)
  for (let n = 0; n < size; n++) hash('sha256', `${n}`, 'buffer').copy(digests, n * DIGEST_BYTES, 0, DIGEST_BYTES)
  // As many bits as the slots of a whole batch have.
  for (let n = 0; n < size; n++) digests.writeUIntLE(0, n * DIGEST_BYTES, 2)
  let reads = 0
  const counted = new Proxy(digests, {
    get(target, name) {
      if (typeof name === 'string' && /^\d/.test(name)) reads++
      return Reflect.get(target, name)
    },
  })
  expect(firstOnes(counted)).toEqual(new Uint8Array(size).fill(1))
  expect(reads / size).toBeLessThan(50)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignPartitions } from '../../../../../connectors/log/embedded/group-state.ts'

const topics = [
  { name: 'a', partitions: 3 },
  { name: 'b', partitions: 1 },
  { name: 'c', partitions: 1 },
]

test('every partition has one owner among those that asked for it, and shares differ by one at most', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 }), (ids) => {
      const assigned = assignPartitions(
        topics,
        ids.map((id) => ({ id, topics: ['a', 'b', 'c'] })),
      )
      const owned = [...assigned.values()].flat().map(({ topic, partition }) => `${topic}/${partition}`)
      expect(owned.toSorted()).toEqual(['a/0', 'a/1', 'a/2', 'b/0', 'c/0'])
      const shares = [...assigned.values()].map((own) => own.length)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
    }),
  )
})

test('every member comes to the same result, in whatever order it sees the others', () => {
  const members = ['x', 'y', 'z'].map((id) => ({ id, topics: ['a', 'b'] }))
  expect(assignPartitions(topics, members)).toEqual(assignPartitions(topics.toReversed(), members.toReversed()))
})

test('a topic goes to those that asked for it only', () => {
  const members = [
    { id: 'x', topics: ['a'] },
    { id: 'y', topics: ['b'] },
  ]
  const assigned = assignPartitions(topics, members)
  expect(assigned.get('x')?.map(({ topic }) => topic)).toEqual(['a', 'a', 'a'])
  expect(assigned.get('y')).toEqual([{ topic: 'b', partition: 0 }])
})

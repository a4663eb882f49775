import { expect, test } from 'vitest'
import { records, subjects, typeOf } from '../../../../schemas/log/records.ts'
import {
  ACCOUNT_LIFECYCLE,
  BURYING,
  CONSUMERS,
  deadTopic,
  GROUPS,
  LIFECYCLE_GROUPS,
  topics,
} from '../../../../schemas/log/topics.ts'

test('a handler of account events shares its group with no other job: members of one group must read the same', () => {
  for (const group of LIFECYCLE_GROUPS)
    expect(CONSUMERS.filter((one) => one.group === group).map(({ topic }) => topic)).toEqual([ACCOUNT_LIFECYCLE])
})

test('every topic stands once in the catalogue, and each that buries has a topic of dead letters', () => {
  const names = topics.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(BURYING.map(deadTopic)))
})

test('every record that crosses the log has a topic, and every group is one that reads', () => {
  expect(new Set(subjects().map(({ type }) => type))).toEqual(new Set(Object.values(records)))
  expect(typeOf('feed.commands')).toBeUndefined()
  expect(GROUPS).toEqual([...new Set(CONSUMERS.map(({ group }) => group))])
})

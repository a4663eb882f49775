import { expect, test } from 'vitest'
import { hostsOf, SEEN_TYPES, seenQuery } from '../../../../../../../console/src/pages/entity/seen/seen.ts'
import { LOOKED_UP_TYPES } from '../../../../../../../schemas/match/subject.ts'

test('telemetry is asked about all types that it is matched with, and no other', () => {
  expect([...SEEN_TYPES].sort()).toEqual([...LOOKED_UP_TYPES].sort())
})

test('names are asked for with what is below them, other values by themselves', () => {
  const asked = (type: string) => seenQuery({ type, value: 'x' }, 5).params.query
  expect(asked('domain')).toEqual({ value: 'x', below: true, limit: 5 })
  expect(asked('hostname').below).toBe(true)
  expect(asked('cidr').below).toBe(false)
})

test('hosts are named once, the newest first', () => {
  expect(hostsOf([{ hosts: ['b', 'a'] }, { hosts: [] }, { hosts: ['a', 'c'] }])).toEqual(['b', 'a', 'c'])
})

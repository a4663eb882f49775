import { expect, test } from 'vitest'
import { movementsOf } from '../../../../../../../console/src/pages/triage/handling/movements.ts'
import type { LiveUpdate } from '../../../../../../../console/src/pages/triage/live-list.ts'
import { triageItem } from '../../../../../../builders/console/triage-item.ts'

const item = (id: string, reputation: number) => triageItem(id, { reputation })
const told = (id: string, reputation: number, previous: number | null): [string, LiveUpdate] => [
  id,
  { item: item(id, reputation), inside: true, at: 0, previous },
]

test('a movement is from what was on the screen, else from what was known, else from what was told', () => {
  const now = [item('a', -3), item('b', -3), item('c', -3), item('d', -3), item('e', -3)]
  const before = [item('a', -1), item('b', -3)]
  const carried = new Map([
    ['a', 0],
    ['b', -2],
  ])
  const updates = new Map([told('c', -3, 1), told('d', -3, null), told('e', -3, -3)])
  expect([...movementsOf(now, before, carried, updates)]).toEqual([
    ['a', -1],
    ['b', -2],
    ['c', 1],
  ])
})

test('what is back where it was has not moved', () => {
  expect(movementsOf([item('a', -1)], [item('a', -1)], new Map([['a', -1]]), new Map()).size).toBe(0)
})

import { expect, test } from 'vitest'
import { roomOf } from '../../../../../api/assistants/services/mcp-messages.ts'

const ask = { method: 'tools/list', id: 1 }
const note = { method: 'notifications/initialized' }

test('answers to a batch share the room of one', () => {
  const alone = roomOf(ask, '2025-11-25')
  expect(alone).toBeLessThan(32 * 1024)
  expect(10 * roomOf(Array(10).fill(ask), undefined)).toBeLessThan(32 * 1024)
  expect(roomOf([ask], '2025-03-26')).toBe(alone)
  expect(roomOf([note, note], undefined)).toBeGreaterThan(0)
})

test('other versions have no batches, and no batch may cancel itself', () => {
  expect(() => roomOf([ask], '2025-11-25')).toThrow('does not support batches')
  expect(() => roomOf([ask, { method: 'notifications/cancelled' }], undefined)).toThrow(
    'only requests or only notifications',
  )
})

import { expect, test } from 'vitest'
import { alertId, alertValue, MAX_ALERT_VALUE, utcDay } from '../../../../schemas/casework/alert.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an alert has the same id again for the same item, entity and day, and another one otherwise', () => {
  const ids = [
    alertId('item', 'entity', '2026-03-01'),
    alertId('other', 'entity', '2026-03-01'),
    alertId('item', 'other', '2026-03-01'),
    alertId('item', 'entity', '2026-03-02'),
  ]
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(UUID)
  expect(alertId('item', 'entity', '2026-03-01')).toBe(ids[0])
})

test('a day begins at midnight in UTC', () => {
  const midnight = Date.UTC(2026, 2, 1)
  expect([utcDay(midnight - 1), utcDay(midnight)]).toEqual(['2026-02-28', '2026-03-01'])
})

test('a value is kept as the store can hold it, and cut', () => {
  expect(alertValue('a\u0000b')).toBe('ab')
  const cut = alertValue(`${'x'.repeat(MAX_ALERT_VALUE - 1)}😀`)
  expect([cut.length, cut.isWellFormed()]).toEqual([MAX_ALERT_VALUE, true])
})

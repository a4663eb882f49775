import { expect, test } from 'vitest'
import { revoked } from '../../../../../pipelines/processors/exchange/written.ts'

test('an indicator that is taken back is valid no more, also for readers that look at nothing else', () => {
  const text = JSON.stringify({
    type: 'indicator',
    valid_from: '2026-01-01T00:00:00.000Z',
    valid_until: '2026-03-01T00:00:00.000Z',
  })
  const at = (time: string) => JSON.parse(revoked(text, Date.parse(time))) as Record<string, unknown>
  expect(at('2026-02-01T00:00:00.000Z')).toMatchObject({ revoked: true, valid_until: '2026-02-01T00:00:00.000Z' })
  expect(at('2026-04-01T00:00:00.000Z')).toMatchObject({ valid_until: '2026-03-01T00:00:00.000Z' })
  expect(at('2025-12-01T00:00:00.000Z')).toMatchObject({ valid_until: '2026-01-01T00:00:00.001Z' })
  const other = JSON.stringify({ type: 'sighting' })
  expect(JSON.parse(revoked(other, 1))).not.toHaveProperty('valid_until')
})

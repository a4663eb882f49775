import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_BODY_BYTES, webhookBody } from '../../../../../../schemas/casework/deliveries/bodies/webhook.ts'
import { alertItem, created, digest, hostileMessage, LINKS } from '../../../../../builders/scans/alert-items.ts'

const read = (...given: Parameters<typeof webhookBody>) => JSON.parse(webhookBody(...given).toString())

test('an alert is told as its user reads it, with a link to its entity', () => {
  const alert = alertItem({ withdrawnAt: '2026-03-01T13:00:00.000Z' })
  expect(read(created(alert), LINKS)).toEqual({
    type: 'alert.created',
    timestamp: '2026-03-01T12:00:00.000Z',
    data: { ...alert, link: `https://harrier.example.com/entity/${alert.entityID}` },
  })
})

test('a test says which destination it is of', () => {
  const message = { type: 'test', id: 'x', at: 0, destinationID: 'd', name: 'Ours' } as const
  expect(read(message, LINKS)).toEqual({
    type: 'test',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: { destinationID: 'd', name: 'Ours' },
  })
})

test('a digest has a hundred alerts in full and the number of the rest, with the way to the inbox', () => {
  const { data } = read(
    digest(
      Array.from({ length: 150 }, () => alertItem()),
      100_000,
    ),
    LINKS,
  )
  expect(data.alerts).toHaveLength(100)
  expect(data).toMatchObject({ count: 100_000, more: 99_900 })
  expect(data.inbox).toBe('https://harrier.example.com/alerts')
})

test('whatever an alert says, a body is JSON of at most 64 KiB, and its counts are right', () => {
  fc.assert(
    fc.property(hostileMessage, (message) => {
      const body = webhookBody(message, LINKS)
      expect(body.length).toBeLessThanOrEqual(MAX_BODY_BYTES)
      const { type, data } = JSON.parse(body.toString())
      expect(type).toBe(message.type)
      if (message.type === 'alerts.digest') expect(data.alerts.length + data.more).toBe(message.count)
    }),
    { numRuns: 150 },
  )
})

import { expect, test } from 'vitest'
import { signalHub } from '../../../../../connectors/postgres/core/signal-hub.ts'

test('a payload rings those who wait for its kind, until they wait no more', () => {
  const rung: string[] = []
  const hub = signalHub(10_000)
  const off = hub.on('outbox', () => rung.push('outbox'))
  hub.on('scans', () => rung.push('scans'))
  for (const payload of ['outbox', 'scans', 'webhooks', 'proof 1', '']) hub.ring(payload)
  expect(rung).toEqual(['outbox', 'scans'])
  off()
  hub.ring('outbox')
  expect(rung).toHaveLength(2)
})

test('a connection that is lost or found rings everybody, who wait long only while commits are heard of', () => {
  let rung = 0
  const hub = signalHub(10_000)
  hub.on('instances', () => rung++)
  expect(hub.patienceMs(500)).toBe(500)
  hub.setHearing(true)
  hub.setHearing(true)
  expect([rung, hub.patienceMs(500), hub.patienceMs(60_000)]).toEqual([1, 10_000, 60_000])
  hub.setHearing(false)
  expect([rung, hub.patienceMs(500)]).toEqual([2, 500])
})

test('the first who waits opens the connection, and no other does', () => {
  let opened = 0
  const hub = signalHub(10_000, () => opened++)
  expect(opened).toBe(0)
  hub.on('outbox', () => undefined)
  hub.on('scans', () => undefined)
  expect(opened).toBe(1)
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inboxService } from '../../../../../api/exchange/services/inbox-service.ts'
import type { Identity } from '../../../../../schemas/accounts/accounts.ts'
import { type InboxStatus, MOST_NAMED } from '../../../../../schemas/feeds-out/collections/inbox-status.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const indicator = (n: number, given: object = {}) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: `indicator--${uuid(n)}`,
  created: TIME,
  modified: TIME,
  pattern: `[domain-name:value = 'd${n}.example.com']`,
  pattern_type: 'stix',
  valid_from: TIME,
  ...given,
})

function world({ fails = false } = {}) {
  const kept = new Map<string, { poster: string; status: InboxStatus }>()
  const sent: Observation[] = []
  const service = inboxService({
    log: {
      send: async (batches) => {
        if (fails) throw new Error('the log is away')
        for (const { messages } of batches) for (const { value } of messages) sent.push(JSON.parse(String(value)))
      },
    },
    encodeObservation: (observation) => Buffer.from(JSON.stringify(observation)),
    metrics: { harrier_ingest_observations_total: { inc: () => undefined } as never },
    statuses: {
      put: async (poster, status) => void kept.set(status.id, { poster, status }),
      find: async (poster, id) => {
        const found = kept.get(id)
        return found?.poster === poster ? found.status : null
      },
    },
    objects: { find: async () => new Map(), put: async () => undefined },
    now: () => NOW,
    newId: randomUUID,
  })
  return { service, sent, kept }
}

const user: Identity = {
  userId: randomUUID(),
  roles: ['user', 'reporter'],
  ownGroups: ['blue'],
  groups: ['blue', 'public'],
  customerId: null,
  chargedCustomerId: null,
  disabled: false,
  builtIn: false,
  bounds: null,
  by: { kind: 'key pair', id: 'k' },
}

test('what can be read is reported for the groups of the poster, and each object that cannot is named', async () => {
  const { service, sent } = world()
  const status = await service.post(user, [indicator(1), indicator(2, { pattern: 'nonsense' }), 'no object'])
  expect(sent.map(({ value, audience }) => [value, audience])).toEqual([['d1.example.com', ['blue']]])
  expect([status.total, status.failed]).toEqual([3, 2])
  expect(status.failures.map(({ id }) => id).sort()).toEqual(['', `indicator--${uuid(2)}`])
  expect(await service.status(user, status.id)).toEqual(status)
  await expect(service.status({ ...user, userId: randomUUID() }, status.id)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a status is small, however many objects fail and however long their ids are', async () => {
  const { service } = world()
  const long = 'x'.repeat(5_000)
  const objects = Array.from({ length: MOST_NAMED + 500 }, (_, n) => ({
    type: long,
    id: `${long}--${uuid(n)}`,
    [long]: n,
  }))
  const broken = Array.from({ length: 20 }, (_, n) => indicator(n, { pattern: `[${long}` }))
  const status = await service.post(user, [...broken, ...objects])
  expect(status.failed).toBeGreaterThan(MOST_NAMED)
  expect(status.failures).toHaveLength(MOST_NAMED)
  expect(Math.max(...status.failures.map(({ id, message }) => id.length + message.length))).toBeLessThanOrEqual(800)
  expect(JSON.stringify(status).length).toBeLessThan(2 ** 21)
})

test('where the log does not take it there is no status', async () => {
  const { service, kept } = world({ fails: true })
  await expect(service.post(user, [indicator(1)])).rejects.toMatchObject({ code: 'publish_failed' })
  expect(kept.size).toBe(0)
})

test('an object with an odd property is reported without it, and that is lost and no failure', async () => {
  const { service, sent } = world()
  const pattern = "[network-traffic:dst_ref.value = '203.0.113.9' AND network-traffic:dst_port = 0]"
  const status = await service.post(user, [indicator(1, { pattern })])
  expect(sent).toMatchObject([{ value: '203.0.113.9', attributes: {} }])
  expect(status).toMatchObject({ total: 1, failed: 0 })
  expect(status.lost).toContainEqual({ type: 'ip', property: 'port', n: 1 })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inboxService } from '../../../../../../api/exchange/services/inbox/inbox.ts'
import type { Identity } from '../../../../../../schemas/accounts/accounts.ts'
import type { Observation } from '../../../../../../schemas/intelligence/observations/observation.ts'
import { rememberedId, type StatedObject } from '../../../../../../schemas/intelligence/observations/stated-object.ts'

const NOW = Date.UTC(2026, 2, 1)
const USER: Identity = {
  userId: randomUUID(),
  roles: ['user'],
  ownGroups: ['public'],
  groups: ['public'],
  customerId: null,
  accepted: false,
  disabled: false,
  builtIn: false,
  by: null,
}
const ID = `indicator--${randomUUID()}`
const indicator = (month: number, rest: object = {}) => ({
  type: 'indicator',
  id: ID,
  modified: `2026-0${month}-01T00:00:00Z`,
  pattern: "[ipv4-addr:value = '203.0.113.7']",
  pattern_type: 'stix',
  ...rest,
})

/** An inbox, what it has published, and what is known of objects. */
function inbox(send: () => Promise<void> = async () => undefined) {
  const published: Observation[] = []
  const known = new Map<string, StatedObject>()
  const service = inboxService({
    now: () => NOW,
    newId: randomUUID,
    log: { send },
    encodeObservation: (observation) => {
      published.push(observation)
      return Buffer.alloc(0)
    },
    metrics: { harrier_ingest_observations_total: { inc: () => undefined } as never },
    statuses: { put: async () => undefined, find: async () => null },
    objects: {
      find: async (_, ids) => new Map([...known].filter(([id]) => ids.has(id))),
      put: async (objects) => objects.forEach((object) => void known.set(object.id, object)),
    },
  })
  return {
    post: (...objects: object[]) => service.post(USER, objects),
    published,
    own: () => known.get(rememberedId(ID)),
  }
}

test.each([
  ['has ended', { valid_until: '2026-02-15T00:00:00Z' }],
  ['is sure of nothing', { confidence: 0 }],
  ['calls it benign', { indicator_types: ['benign'] }],
])('a version that %s takes back what the one before it claimed', async (_, rest) => {
  const { post, published, own } = inbox()
  await post(indicator(1))
  expect(own()).toMatchObject({ claims: [{ entityId: published[0]!.entityId }], gone: [] })
  expect(await post(indicator(2, rest))).toMatchObject({ total: 1, failed: 0 })
  expect(published.map(({ reputation }) => reputation)).toEqual([-3, null])
  expect(own()).toMatchObject({ claims: [], gone: [{ entityId: published[0]!.entityId }] })
})

test('after such a version the one before it is an old one', async () => {
  const { post, published } = inbox()
  await post(indicator(2, { confidence: 0 }))
  expect(await post(indicator(1))).toMatchObject({ failed: 1, failures: [{ id: ID }] })
  expect(published).toHaveLength(1)
})

test('the first version of an object that claims nothing is a sighting', async () => {
  const { post, published, own } = inbox()
  await post(indicator(1, { indicator_types: ['benign'] }))
  expect(published).toMatchObject([{ reputation: null }])
  expect(own()).toMatchObject({ claims: [], gone: [] })
})

test('what may be on the log can be taken back, also when it is not known to be there', async () => {
  const { post, published, own } = inbox(() => Promise.reject(new Error('too late')))
  await expect(post(indicator(1))).rejects.toMatchObject({ code: 'publish_failed' })
  expect(own()).toMatchObject({ claims: [{ entityId: published[0]!.entityId }] })
})

test('all that an object claims is known of it, wherever the parts of an envelope begin', async () => {
  const { post, own } = inbox()
  const others = Array.from({ length: 1_999 }, () => ({ ...indicator(1), id: `indicator--${randomUUID()}` }))
  const pattern = ['203.0.113.7', '203.0.113.8', '203.0.113.9'].map((ip) => `[ipv4-addr:value = '${ip}']`).join(' OR ')
  await post(...others, indicator(1, { pattern }))
  expect(own()).toMatchObject({ claims: [{}, {}, {}], gone: [] })
})

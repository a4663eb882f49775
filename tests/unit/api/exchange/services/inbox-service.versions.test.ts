import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inboxService } from '../../../../../api/exchange/services/inbox-service.ts'
import type { Identity } from '../../../../../schemas/accounts/accounts.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { rememberedId, type StatedObject } from '../../../../../schemas/intelligence/observations/stated-object.ts'

const NOW = Date.UTC(2026, 2, 1)
const USER: Identity = {
  userId: randomUUID(),
  roles: ['user'],
  ownGroups: ['public'],
  groups: ['public'],
  customerId: null,
  chargedCustomerId: null,
  disabled: false,
  builtIn: false,
  bounds: null,
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
function inbox(
  send: () => Promise<void> = async () => undefined,
  slow: (version: string) => Promise<unknown> = async () => null,
) {
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
      put: async (objects) => {
        for (const object of objects) {
          await slow(object.version)
          known.set(object.id, object)
        }
      },
    },
  })
  return {
    post: (...objects: object[]) => service.post(USER, objects),
    postAs: (user: Identity, ...objects: object[]) => service.post(user, objects),
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

test('envelopes of one source wait for each other: the later version of an object is known in the end', async () => {
  const pause = (version: string) => new Promise((done) => setTimeout(done, version < '2026-02' ? 20 : 0))
  const { post, published, own } = inbox(undefined, pause)
  await Promise.all([post(indicator(1)), post(indicator(2, { confidence: 0 }))])
  expect(own()).toMatchObject({ claims: [], gone: [{ entityId: published[0]!.entityId }] })
})

test('so many envelopes of one source wait, and no more', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { post, postAs } = inbox(() => promise)
  const posts = Array.from({ length: 9 }, () => post(indicator(1)))
  await expect(post(indicator(1))).rejects.toMatchObject({ code: 'rate_limited' })
  const other = postAs({ ...USER, userId: randomUUID() }, indicator(1))
  resolve()
  expect(await Promise.all([...posts, other])).toHaveLength(10)
})

const unversioned = (ip: string) => indicator(1, { modified: undefined, pattern: `[ipv4-addr:value = '${ip}']` })
const others = (many: number) =>
  Array.from({ length: many }, () => ({ ...indicator(1), id: `indicator--${randomUUID()}` }))

test.each([0, 1_999])(
  'objects of one id without versions that follow each other are one, after %i others',
  async (many) => {
    const { post, own } = inbox()
    await post(...others(many), unversioned('203.0.113.7'), unversioned('203.0.113.8'))
    expect(own()).toMatchObject({ claims: [{}, {}], gone: [] })
  },
)

test.each([1, 2_500])('with %i others in between the second takes the first back', async (many) => {
  const { post, published, own } = inbox()
  await post(unversioned('203.0.113.7'), ...others(many), unversioned('203.0.113.8'))
  const [first, last] = [published[0]!.entityId, published.at(-1)!.entityId]
  expect(own()).toMatchObject({ claims: [{ entityId: last }], gone: [{ entityId: first }] })
})

test('who is in no group is told so', async () => {
  const { postAs } = inbox()
  const alone = postAs({ ...USER, ownGroups: [], groups: ['public'] }, indicator(1))
  await expect(alone).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('no group') })
})

test('others have a turn for each thousand objects that are read', async () => {
  const { readObjects } = await import('../../../../../api/exchange/services/read-objects.ts')
  let rounds = 0
  const count = (): void => {
    rounds++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await readObjects(USER, others(5_000), NOW)
  clearImmediate(next)
  expect(rounds).toBeGreaterThanOrEqual(10)
})

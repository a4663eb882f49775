import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRegistry } from '../../../../cli/wiring/open/registry.ts'
import type { EventLog } from '../../../../connectors/log/port.ts'
import { sightingOf } from '../../../../pipelines/processors/match/sighting.ts'
import { loadConfig } from '../../../../platform/config.ts'
import { customerGroup } from '../../../../schemas/accounts/accounts.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { MATCHES, OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import type { MatchRecord } from '../../../../schemas/match/match.ts'
import { matchRecord } from '../../../builders/accounts/casework/match.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { logOf } from '../../../builders/platform/data-folder.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Matches as they stand on the log: the alerts of their owner, and what the owner lets its team know (decisions 14). */
export function matches(shared: Shared): void {
  const { folder, platform } = shared
  const VALUE = 'evil.example'
  const ID = entityId('domain', VALUE)
  const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }

  let log: EventLog
  let analyst: User
  let stranger: User
  let customerId: string
  let match: (given: object) => Promise<void>
  let tell: (observation: Observation) => Promise<void>

  beforeAll(async () => {
    const roles = ['user', 'reporter']
    analyst = await newUserOf(platform, { roles, groups: [] })
    stranger = await newUserOf(platform, { roles, groups: [] })
    for (const [user, name] of [
      [stranger, 'Other'],
      [analyst, 'Acme'],
    ] as const) {
      const body = { name, email: `${name}@example.com`, billingAddress: ADDRESS }
      const made = await platform.ask('/api/billing/v1/customer', body, user.headers)
      expect(made.status).toBe(201)
      customerId = made.body.id ?? made.body.customerID
    }
    log = await logOf(folder)
    const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
    const encodeMatch = encoder<MatchRecord>(records.match, registry.ids.match)
    const encode = encoder<Observation>(records.observation, registry.ids.observation)
    match = (given) => {
      const one = matchRecord({ id: randomUUID(), owner: `customer:${customerId}`, stepAt: Date.now(), ...given })
      return log.send([{ topic: MATCHES, messages: [{ key: one.entity.id, value: encodeMatch(one) }] }])
    }
    tell = (o) => log.send([{ topic: OBSERVATIONS, messages: [{ key: o.entityId, value: encode(o) }] }])
    const report = {
      type: 'domain',
      attributes: { domain: VALUE },
      reputation: -3,
      visibleBy: ['public'],
      tags: ['c2'],
    }
    expect((await platform.ask('/api/ingest/v1/entity', report)).status).toBe(202)
    await registry.close()
    await settled()
  }, 180_000)
  afterAll(async () => {
    await log?.close()
  })

  const settled = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  const get = async (path: string, as: User = analyst) => (await platform.ask(path, undefined, as.headers)).body

  test('an item of the kind `match` fires for matches of its user, and is withdrawn with them', async () => {
    for (const user of [analyst, stranger]) {
      const made = await platform.ask('/api/casework/v1/watchlists', { name: 'Ours' }, user.headers)
      const path = `/api/casework/v1/watchlists/${made.body.id}/items`
      const item = { kind: 'match', value: { reputation: { lte: -2 } } }
      expect((await platform.ask(path, item, user.headers)).status).toBe(201)
      expect(await platform.ask(path, { kind: 'match', value: { asn: 64_500 } }, user.headers)).toMatchObject({
        status: 400,
        body: { error: { param: 'value.asn' } },
      })
    }
    const groups = ['public', customerGroup(customerId)]
    await match({ groups })
    await match({ groups, entity: { value: 'mild.example', reputation: -1 } })
    await settled()
    const { items, unread } = await get('/api/casework/v1/alerts')
    expect(items).toMatchObject([
      { entityID: ID, matchedKind: 'match', matchedOn: '{"reputation":{"lte":-2}}', count: 1 },
    ])
    expect([unread, (await get('/api/casework/v1/alerts', stranger)).items]).toEqual([1, []])
    await match({ groups, step: 'withdrawn' })
    await settled()
    expect((await get('/api/casework/v1/alerts')).items[0]).toMatchObject({ withdrawnAt: expect.any(String), count: 1 })
    await match({ groups, step: 'restored' })
    await settled()
    expect((await get('/api/casework/v1/alerts')).items).toMatchObject([{ count: 2 }])
    expect((await get('/api/casework/v1/alerts')).items[0].withdrawnAt).toBeUndefined()
  })

  test('what an owner lets its team know of a match moves when the entity was seen, and nothing else', async () => {
    const everything = async (user: User) => {
      const entity = await get(`/api/search/v1/entity/${ID}`, user)
      const { items } = await get(`/api/search/v1/entity/${ID}/evidence`, user)
      const overview = await get('/api/analytics/v1/overview?days=1', user)
      const history = await platform.ask('/api/search/v1/entities/history/simple', { query: VALUE }, user.headers)
      const { total_entities, malicious_count, by_type, by_reputation, top_tags } = overview
      return { entity, items, overview: { total_entities, malicious_count, by_type, by_reputation, top_tags }, history }
    }
    const before = await everything(analyst)
    const stranged = await everything(stranger)
    const entity = { id: ID, type: 'domain', value: VALUE }
    const record = sightingOf(
      { matchedAt: Date.now(), entity },
      `customer:${customerId}`,
      [customerGroup(customerId)],
      [['public']],
    )!
    // The day began before the report: a moment that is later shows.
    const late = Date.parse(before.entity.lastSeen) + 20
    await tell({ ...record, observedAt: late })
    await eventually(
      () => get(`/api/search/v1/entity/${ID}`),
      ({ lastSeen }) => Date.parse(lastSeen) === late,
    )
    const after = await everything(analyst)
    expect(after.entity).toEqual({ ...before.entity, lastSeen: new Date(late).toISOString() })
    expect([after.items, after.overview]).toEqual([before.items, before.overview])
    expect(after.history.body.results).toHaveLength(2)
    const [newest, first] = after.history.body.results
    expect(first).toEqual(before.history.body.results[0])
    expect(newest).toMatchObject({
      match: true,
      userID: customerId,
      visibleBy: [customerGroup(customerId)],
      reputation: 0,
    })
    expect(JSON.stringify(newest)).not.toMatch(/laptop|alice|query/)
    expect(await everything(stranger)).toMatchObject({
      entity: stranged.entity,
      overview: stranged.overview,
      history: { body: stranged.history.body },
    })
  })
}

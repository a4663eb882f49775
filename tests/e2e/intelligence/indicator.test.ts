import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { eventually, startPlatform } from '../../builders/platform/platform.ts'
import { prepared } from '../../builders/suite/during.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

/** The story of one indicator, from report to answer, on whatever stores the environment names. */
/** A reporter of everyday trust; the administrator's word weighs more. */
const folder = ownFolder()

const platform = prepared(() => startPlatform(folder))
const reporter = prepared(() => user(['reporter'], ['public']))
afterAll(async () => {
  expect(await platform.stop()).toBe(0)
})

const overview = async (as?: Record<string, string> | null) =>
  (await platform.ask('/api/analytics/v1/overview', undefined, as)).body
const search = (query: string, as?: Record<string, string> | null, rest = {}) =>
  platform.ask('/api/search/v1/entities/history/simple', { query, ...rest }, as)
const report = (body: object, as = reporter) => platform.ask('/api/ingest/v1/entity', body, as)

/** A new user with a key pair, by the administrator. */
async function user(roles: string[], groups: string[]): Promise<Record<string, string>> {
  const made = await platform.ask('/auth/v2/admin/user', { email: `${randomUUID()}@example.com`, roles, groups })
  expect(made.status).toBe(201)
  const key = await platform.ask(`/auth/v2/admin/user/${made.body.userID}/keypair`, { name: 'test', days: 1 })
  expect(key.status).toBe(201)
  return { 'api-key': key.body.apiKey, 'api-secret': key.body.apiSecret }
}

describe('an indicator that is reported', () => {
  const ip = '203.0.113.7'

  test('is acknowledged with its id', async () => {
    const { status, body } = await report({
      type: 'ip',
      attributes: { ip, text: 'Seen brute-forcing SSH', country: 'Germany', asn: 64500, aso: 'Example Net' },
      reputation: -3,
      tags: ['Brute-Force', 'ssh'],
      associations: [{ mode: 'association', type: 'domain', attributes: { domain: 'evil-login.example.com' } }],
    })
    expect({ status, body }).toEqual({ status: 202, body: { message: 'acknowledged', id: entityId('ip', ip) } })
  })

  test('is found a moment later by value, id, attribute and word, by anyone', async () => {
    const { body } = await eventually(
      () => search(ip, null),
      (answer) => answer.status === 200,
    )
    expect(body).toMatchObject({ items: 1, pages: 1, aggregations: null })
    expect(body.results[0]).toMatchObject({
      entityID: entityId('ip', ip),
      type: 'ip',
      attributes: { ip, country: 'Germany', asn: '64500' },
      reputation: -3,
      accuracy: 1,
      tags: ['brute-force', 'ssh'],
      visibleBy: ['public'],
      wellKnown: false,
    })
    for (const query of [entityId('ip', ip), 'BRUTE', 'seen brute-forcing ssh', 'germany', 'Example Net', 'ssh seen'])
      expect([query, (await search(query, null)).status]).toEqual([query, 200])
  })

  test('counts in the overview, with what is associated with it', async () => {
    const { body } = await eventually(
      () => platform.ask('/api/analytics/v1/overview?days=2', undefined, null),
      (answer) => answer.body.total_entities === 2,
    )
    expect(body).toMatchObject({
      malicious_count: 1,
      malicious_share: 0.5,
      tracked_types: 2,
      by_type: [
        { key: 'domain', count: 1 },
        { key: 'ip', count: 1 },
      ],
      by_reputation: [
        { key: '-3', count: 1 },
        { key: '0', count: 1 },
      ],
      top_tags: [
        { key: 'brute-force', count: 1 },
        { key: 'ssh', count: 1 },
      ],
      window: { days: 2, interval: 'day' },
    })
    expect(body.timeline.map((point: { count: number }) => point.count)).toEqual([0, 2])
  })

  test('leads the triage feed and the attribution', async () => {
    // Entities are stored last, a moment after the counts that were just seen.
    const recent = await eventually(
      () => platform.ask('/api/analytics/v1/recent', undefined, null),
      (answer) => answer.body.items.length === 1,
    )
    expect(recent.body.items[0]).toMatchObject({
      id: entityId('ip', ip),
      value: ip,
      reputation_label: 'Alarming',
      accuracy_label: 'Low',
    })
    const attribution = await platform.ask('/api/analytics/v1/attribution', undefined, null)
    expect(attribution.body).toEqual({
      by_country: [{ key: 'Germany', count: 1 }],
      by_asn: [{ key: '64500', count: 1 }],
      by_aso: [{ key: 'example net', count: 1 }],
      malicious_only: true,
    })
  })

  test('is never negative once it is well known, and its record stays', async () => {
    expect((await platform.ask('/api/ingest/v1/well-known', { type: 'ip', attributes: { ip } })).status).toBe(202)
    const { body } = await eventually(
      () => platform.ask('/api/analytics/v1/overview', undefined, null),
      (answer) => answer.body.malicious_count === 0,
    )
    expect(body.total_entities).toBe(2)
    expect((await search(ip, null)).body.results.map((r: { reputation: number }) => r.reputation)).toEqual([0, -3])
  })
})

type Item = { value: string; reputation: number }

describe('what one group reports', () => {
  test('is seen by it alone, and folds with what is public', async () => {
    const blue = await user(['reporter'], ['blue'])
    const red = await user(['reporter'], ['red'])
    const domain = 'shared-view.example.org'
    const before = (await overview(null)).total_entities
    await report({ type: 'domain', attributes: { domain }, reputation: 2, visibleBy: ['public'] })
    await report({ type: 'domain', attributes: { domain }, reputation: -3 }, blue)
    await report(
      { type: 'domain', attributes: { domain: 'secret.example.org' }, reputation: -3, tags: ['blue-only'] },
      blue,
    )
    await eventually(
      () => overview(blue),
      (seen) => seen.total_entities === before + 2,
    )
    // +2 by one source and -3 by another, of equal weight: -0.5 rounds away from zero. Entities are stored last.
    await eventually(
      () => platform.ask('/api/analytics/v1/recent?malicious_only=false', undefined, blue),
      ({ body }) => body.items.some((item: Item) => item.value === domain && item.reputation === -1),
    )
    const [anonymous, asRed, asBlue] = [await overview(null), await overview(red), await overview(blue)]
    expect(anonymous.total_entities).toBe(before + 1)
    expect(asRed).toEqual(anonymous)
    // The secret one, and the shared one, which turns negative for this reader alone.
    expect(asBlue.malicious_count).toBe(anonymous.malicious_count + 2)
    expect(asBlue.top_tags).toContainEqual({ key: 'blue-only', count: 1 })
    expect((await search('secret.example.org', red)).status).toBe(404)
    expect((await search('secret.example.org', blue)).body.results[0].visibleBy).toEqual(['blue'])
    expect((await search(domain, null)).body.items).toBe(1)
    expect((await search(domain, blue)).body.items).toBe(2)
  })
})

import { expect, test } from 'vitest'
import { entityRecord } from '../../../../../api/intelligence/services/entity/entity-record.ts'
import type { History } from '../../../../../connectors/history/port.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import { fold } from '../../../../../schemas/intelligence/state/entity-view.ts'
import { asAdmin, errorOf, type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { noComments } from '../../../../builders/api/ports.ts'
import { NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { during } from '../../../../builders/suite/during.ts'

/** A store that refuses every question about records as one whose rows are too large. */
const tooLarge: Pick<History, 'query'> = {
  query: async ({ sql }) => {
    if (!sql.includes('attributes')) return []
    throw Object.assign(new Error('Limit for result exceeded'), { code: '396' })
  },
}

const api = during(startApi)
const small = during(() => startApi({ history: tooLarge }))

const post = (at: RunningApi, path: string, body: object, headers: object = {}) =>
  fetch(at.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const id = entityId('ip', '8.8.8.8')

test('a record shows the main attribute under its type, both ends of its time, and no claims', () => {
  const made = [
    observation({ attributes: { text: 'dns' }, tags: ['resolver'], reputation: 3 }),
    observation({ source: 's2', reputation: -1, observedAt: NOW + 1_000 }),
  ]
  const records = made.map((o, offset) => ({ observation: o, partition: 0, offset, audience: audienceId(o.audience) }))
  const rules = { dedupeWindow: 0, locate: () => ({ country: 'Chad', asn: 1, aso: 'x' }) }
  expect(entityRecord(fold(applyBatch(new Map(), records, rules).rows))).toEqual({
    id,
    '@timestamp': '2026-01-15T12:00:00.000Z',
    lastSeen: '2026-01-15T12:00:01.000Z',
    type: 'ip',
    reputation: 1,
    bestReputation: 3,
    worstReputation: -1,
    accuracy: 1,
    attributes: { ip: '8.8.8.8', text: 'dns' },
    tags: ['resolver'],
    wellKnown: false,
  })
})

test('look-ups of one, by value, by id and with its evidence, count against one limit, found or not', async () => {
  const answers = [
    await post(api, '/api/search/v1/entity', { type: 'ip', value: '8.8.8.8' }),
    await fetch(`${api.url}/api/search/v1/entity/${id}`),
    await fetch(`${api.url}/api/search/v1/entity/${id}.stix`),
    await fetch(`${api.url}/api/search/v1/entity/${id}/evidence`),
    await fetch(`${api.url}/api/search/v1/entity/${id}/score-history`),
  ]
  for (const answer of answers) {
    expect([answer.status, (await errorOf(answer)).code]).toEqual([404, 'not_found'])
    expect(answer.headers.get('ratelimit-limit')).toBe('3000')
  }
  const many = await post(api, '/api/search/v1/entities/lookup', { values: ['8.8.8.8', 'x', 'x'] })
  expect(many.headers.get('ratelimit-limit')).toBe('3000')
  expect(await many.json()).toEqual({ items: 0, missing: 1, unrecognised: ['x'], results: [] })
})

test('what is too large to be read in one question is a 400 that says what to do', async () => {
  const refused = await post(small, '/api/search/v1/entities/lookup', { values: ['8.8.8.8'] })
  expect(refused.status).toBe(400)
  expect(await errorOf(refused)).toMatchObject({ param: 'values', message: expect.stringContaining('fewer') })
})

test('a fault of the store is one, and not an empty answer', async () => {
  const broken = await startApi({ history: { query: () => Promise.reject(new Error('no such host')) } })
  const answer = await post(broken, '/api/search/v1/entities/lookup', { values: ['8.8.8.8'] })
  expect([answer.status, (await errorOf(answer)).message]).toEqual([500, 'internal error'])
  await broken.close()
})

test('comments can be read without a customer, and are limited', async () => {
  const answer = await fetch(`${api.url}/api/search/v1/comments/${id}`)
  expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([404, '30'])
})

test('an author whose account ended meanwhile is told that its credentials are none', async () => {
  const known: Pick<History, 'query'> = {
    query: async <Row>() => [rowOf()] as Row[],
  }
  const stores = { history: known, comments: { ...noComments, add: async () => 'no user' as const } }
  const ending = await startApi(stores)
  const answer = await post(ending, '/api/ingest/v1/comment', { entityID: id, comment: 'late' }, asAdmin)
  expect(answer.status).toBe(401)
  await ending.close()
})

/** As the store gives a row. */
const rowOf = () => ({
  entity_id: id,
  type: 'ip',
  value: '8.8.8.8',
  audience: String(audienceId(['public'])),
  version: '1',
  attribute_times: {},
  first: '0',
  last: '0',
  scored: '0',
  next: '0',
  'claims.source': [],
})

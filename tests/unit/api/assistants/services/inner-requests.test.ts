import { Type } from 'typebox'
import { beforeEach, expect, test } from 'vitest'
import { type Asker, innerRequests } from '../../../../../api/assistants/services/inner-requests.ts'
import { ApiError } from '../../../../../api/http/errors.ts'
import { BUILT_IN_ADMINISTRATOR } from '../../../../../api/http/middleware/identity.ts'
import type { Enforce } from '../../../../../api/http/middleware/limits.ts'
import { type Request, reply, route } from '../../../../../api/http/route.ts'
import { notAudited } from '../../../../../schemas/audit/action.ts'

const limit = { service: 'search-api', features: ['entity_lookup_per_minute'] } as const
const MOST = 5
const charged = { units: 0, to: [] as unknown[] }
const seen: Request<unknown>[] = []
let fails: Error | null = null
let permitted = true

const enforce: Enforce = async (limited, user, ip, units = 1) => {
  charged.to.push([limited.features[0], user?.userId ?? null, ip])
  const fits = charged.units + units <= MOST
  const headers = { 'ratelimit-remaining': String(MOST - charged.units), 'ratelimit-reset': '7', 'retry-after': '7' }
  if (!fits) return { refusal: new ApiError('rate_limited'), headers, giveBack: () => headers }
  charged.units += units
  return {
    refusal: null,
    headers,
    giveBack: () => {
      charged.units -= units
      return headers
    },
  }
}

const made = route({
  method: 'post',
  audit: notAudited('a test'),
  path: '/made/{id}',
  id: 'test',
  summary: 'Made.',
  tag: 'Search',
  access: 'user',
  scope: null,
  permit: async () => {
    if (!permitted) throw new ApiError('forbidden', { message: 'not permitted' })
  },
  params: Type.Object({ id: Type.String({ maxLength: 3 }) }),
  query: Type.Object({ n: Type.Integer({ default: 1, maximum: 9 }) }),
  body: Type.Object({ units: Type.Integer() }, { additionalProperties: false }),
  responses: { 200: Type.Object({ done: Type.Boolean() }) },
  limit,
  units: ({ units }) => units,
  handler: async (request) => {
    seen.push(request)
    if (fails !== null) throw fails
    return reply(200, { done: true })
  },
})
const open = route({
  method: 'get',
  path: '/open',
  id: 'test',
  summary: 'Open.',
  tag: 'Search',
  access: 'anyone',
  scope: null,
  responses: { 200: Type.Object({ media: Type.String(), more: Type.Integer() }) },
  handler: async ({ prefers, takeUpTo, header, has }) => {
    const { taken } = await takeUpTo(3)
    const media = prefers.type(['application/json', 'application/x-ndjson'])
    const plain = header('last-event-id') === undefined && !has({ etag: '"x"', 'last-modified': 'x' })
    return reply(200, { media: `${media} ${prefers.encoding(['gzip'])} ${plain}`, more: taken })
  },
})

const asker = (user: Asker['user']): Asker => ({
  user,
  groups: ['public', 'blue'],
  ip: '192.0.2.1',
  again: async () => user,
  signal: new AbortController().signal,
})
const somebody = asker(BUILT_IN_ADMINISTRATOR)
const ask = innerRequests([made, open], enforce)
const question = { params: { id: 'a' }, body: { units: 2 } }

beforeEach(() => {
  charged.units = 0
  charged.to.length = 0
  seen.length = 0
  fails = null
  permitted = true
})

test('the route is asked for the caller, with its defaults, and takes its units of the limit key', async () => {
  expect(await ask('post /made/{id}')(somebody, question)).toEqual({ done: true })
  expect(seen[0]).toMatchObject({
    user: BUILT_IN_ADMINISTRATOR,
    groups: ['public', 'blue'],
    ip: '192.0.2.1',
    params: { id: 'a' },
    query: { n: 1 },
    body: { units: 2 },
  })
  expect(seen[0]!.signal).toBe(somebody.signal)
  expect(await seen[0]!.takeUpTo(9)).toEqual({ taken: 3, againMs: 7_000 })
  expect(charged.units).toBe(5)
  expect(charged.to[0]).toEqual([limit.features[0], BUILT_IN_ADMINISTRATOR.userId, '192.0.2.1'])
})

test('whoever may not ask the route is refused before its question is looked at', async () => {
  const wrong = { params: { id: 'too long' }, body: 7 }
  await expect(ask('post /made/{id}')(asker(null), wrong)).rejects.toMatchObject({ code: 'unauthorized' })
  const reporter = asker({ ...BUILT_IN_ADMINISTRATOR, roles: ['reporter'] })
  await expect(ask('post /made/{id}')(reporter, wrong)).rejects.toMatchObject({ code: 'forbidden' })
  permitted = false
  await expect(ask('post /made/{id}')(somebody, wrong)).rejects.toThrow('not permitted')
  expect(charged.to).toEqual([])
})

test.each([
  [{ ...question, params: { id: 'too long' } }, 'id'],
  [{ ...question, query: { n: 10 } }, 'n'],
  [{ ...question, query: { other: 'x' } }, 'other'],
  [{ ...question, body: { units: 1, more: 1 } }, 'more'],
])('%j is refused as the route refuses it, and takes nothing', async (given, param) => {
  await expect(ask('post /made/{id}')(somebody, given)).rejects.toMatchObject({ code: 'invalid_parameter', param })
  expect(charged.to).toEqual([])
})

test('a limit that is used up refuses, and says when there is more', async () => {
  const refused = ask('post /made/{id}')(somebody, { ...question, body: { units: 6 } })
  await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 7 })
  expect(seen).toEqual([])
})

test('what the caller did wrong gives its units back, and what was not found does not', async () => {
  fails = new ApiError('invalid_parameter')
  await expect(ask('post /made/{id}')(somebody, question)).rejects.toBe(fails)
  expect(charged.units).toBe(0)
  fails = new ApiError('not_found')
  await expect(ask('post /made/{id}')(somebody, question)).rejects.toBe(fails)
  expect(charged.units).toBe(2)
})

test('a route without a limit is asked by anyone, in the media type that is wanted', async () => {
  const media = 'application/x-ndjson'
  expect(await ask('get /open')(asker(null), { media })).toEqual({ media: `${media} identity true`, more: 3 })
  expect(await ask('get /open')(asker(null), {})).toMatchObject({ media: 'application/json identity true' })
  expect(charged.to).toEqual([])
})

test('a route that is not declared is a fault at the start', () => {
  expect(() => ask('get /nothing')).toThrow('there is no route get /nothing')
})

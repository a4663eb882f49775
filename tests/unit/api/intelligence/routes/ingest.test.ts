import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LogUnavailable } from '../../../../../connectors/availability/port.ts'
import type { Role } from '../../../../../schemas/accounts/accounts.ts'
import { type Person, person } from '../../../../builders/accounts/people.ts'
import { embeddedPeople, newCustomer, type People } from '../../../../builders/accounts/team.ts'
import { errorOf, type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { memoryLog } from '../../../../builders/log/memory-log.ts'
import { observationsIn } from '../../../../builders/log/sent-observations.ts'

const GOOGLE = 'ip-ba7fa36bff8d58ee45b973615e83d9aaeb921f1cc477d9c156e8a9cae8cca16e'
const NOW = 1_800_000_000_000

const log = memoryLog()
let people: People
let accounts: People['accounts']
let api: RunningApi
let reporter: Person

beforeAll(async () => {
  people = await embeddedPeople()
  accounts = people.accounts
  api = await startApi({ accounts, log, now: () => NOW })
  reporter = await person(accounts, { roles: ['reporter'], groups: ['red', 'blue'] })
})
beforeEach(() => {
  log.sends.length = 0
  log.failWith(null)
})
afterAll(async () => {
  await api?.close()
  await people?.close()
})

const post = (route: 'entity' | 'well-known', body: unknown, who: Person = reporter) =>
  fetch(`${api.url}/api/ingest/v1/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...who.headers },
    body: JSON.stringify(body),
  })

test('a report answers 202 with the id and appends one observation, keyed by it', async () => {
  const response = await post('entity', { type: 'ip', attributes: { ip: ' 8.8.8.8 ' }, reputation: -2, tags: ['DNS'] })
  expect(response.status).toBe(202)
  expect(await response.json()).toEqual({ message: 'acknowledged', id: GOOGLE })
  expect(log.sends).toHaveLength(1)
  expect(log.sends[0]).toMatchObject([{ topic: 'entity.observations', key: GOOGLE, timestamp: NOW }])
  expect(observationsIn(log)).toMatchObject([
    {
      entityId: GOOGLE,
      value: '8.8.8.8',
      reputation: -2,
      tags: ['dns'],
      audience: ['blue', 'red'],
      userId: reporter.id,
      source: reporter.id,
      sourceKind: 'user',
      trust: 0.6,
      kind: 'report',
      observedAt: NOW,
    },
  ])
})

test('all observations of a submission are one send', async () => {
  const body = {
    type: 'domain',
    attributes: { domain: 'example.com', ip: '8.8.8.8' },
    correlate: ['ip'],
    associations: [{ mode: 'association', type: 'url', attributes: { url: 'https://example.com/x' } }],
  }
  expect((await post('entity', body)).status).toBe(202)
  expect(log.sends).toHaveLength(1)
  const observations = observationsIn(log)
  expect(observations.map(({ type }) => type).sort()).toEqual(['domain', 'ip', 'url'])
  expect(new Set(observations.map(({ submissionId }) => submissionId)).size).toBe(1)
  expect(new Set(observations.map(({ id }) => id)).size).toBe(3)
})

test('trust follows the role, the source the customer', async () => {
  const member = await person(accounts, { roles: ['reporter', 'trusted'] as Role[], groups: [] })
  const customer = newCustomer(member.id)
  await people.team.createCustomer(customer)
  expect((await post('entity', { type: 'ip', attributes: { ip: '8.8.8.8' } }, member)).status).toBe(202)
  expect(observationsIn(log)).toMatchObject([
    {
      userId: member.id,
      source: customer.id,
      sourceKind: 'customer',
      trust: 0.9,
      audience: [`customer-${customer.id}`],
    },
  ])
})

test('a well-known mark is a public sighting', async () => {
  const trusted = await person(accounts, { roles: ['trusted'], groups: ['red'] })
  const response = await post('well-known', { type: 'ip', attributes: { ip: '8.8.8.8' } }, trusted)
  expect(response.status).toBe(202)
  expect(await response.json()).toEqual({ message: 'acknowledged', id: GOOGLE })
  expect(observationsIn(log)).toMatchObject([
    { kind: 'well_known', reputation: null, audience: ['public'], trust: 0.9 },
  ])
})

test('a mark covers what lies under a cidr by default, and never under an address', async () => {
  const trusted = await person(accounts, { roles: ['trusted'], groups: ['red'] })
  const cidr = { type: 'cidr', attributes: { cidr: '8.8.8.0/24' } }
  for (const body of [cidr, { ...cidr, covers: false }])
    expect((await post('well-known', body, trusted)).status).toBe(202)
  expect(observationsIn(log).map((o) => o.covers)).toEqual([true, false])
  const refused = await post('well-known', { type: 'ip', attributes: { ip: '8.8.8.8' }, covers: true }, trusted)
  expect([refused.status, (await errorOf(refused)).param]).toEqual([400, 'covers'])
  const report = await post('entity', { ...cidr, covers: true })
  expect([report.status, (await errorOf(report)).param]).toEqual([400, 'covers'])
})

const refusals: { name: string; body: unknown; status?: number; param: string }[] = [
  { name: 'no type', body: { attributes: { ip: '8.8.8.8' } }, param: 'type' },
  { name: 'an unknown type', body: { type: 'ufo', attributes: { ufo: 'x' } }, param: 'type' },
  { name: 'no main attribute', body: { type: 'ip', attributes: { port: '80/tcp' } }, param: 'attributes.ip' },
  { name: 'a bad value', body: { type: 'ip', attributes: { ip: '10.0.0.1' } }, param: 'attributes.ip' },
  { name: 'a value that is an object', body: { type: 'ip', attributes: { ip: {} } }, param: 'attributes.ip' },
  { name: 'an unknown field', body: { type: 'ip', attributes: { ip: '8.8.8.8' }, accuracy: 3 }, param: 'accuracy' },
  { name: 'a forged owner', body: { type: 'ip', attributes: { ip: '8.8.8.8' }, userID: 'x' }, param: 'userID' },
  {
    name: 'a reputation of 4',
    body: { type: 'ip', attributes: { ip: '8.8.8.8' }, reputation: 4 },
    param: 'reputation',
  },
  {
    name: 'a reputation of 1.5',
    body: { type: 'ip', attributes: { ip: '8.8.8.8' }, reputation: 1.5 },
    param: 'reputation',
  },
  {
    name: 'an empty visibleBy',
    body: { type: 'ip', attributes: { ip: '8.8.8.8' }, visibleBy: [] },
    param: 'visibleBy',
  },
  {
    name: 'a foreign group',
    body: { type: 'ip', attributes: { ip: '8.8.8.8' }, visibleBy: ['red', 'green'] },
    status: 403,
    param: 'visibleBy[1]',
  },
  {
    name: 'an association without a mode',
    body: { type: 'ip', attributes: { ip: '8.8.8.8' }, associations: [{ type: 'ip', attributes: { ip: '1.1.1.1' } }] },
    param: 'associations[0].mode',
  },
  {
    name: 'a bad value deep inside',
    body: {
      type: 'ip',
      attributes: { ip: '8.8.8.8' },
      associations: [{ mode: 'association', type: 'ip', attributes: { ip: '1.1.1.1', port: 'x' } }],
    },
    param: 'associations[0].attributes.port',
  },
  {
    name: 'an unknown field deep inside',
    body: {
      type: 'ip',
      attributes: { ip: '8.8.8.8' },
      associations: [{ mode: 'association', type: 'ip', attributes: { ip: '1.1.1.1' }, tags: [] }],
    },
    param: 'associations[0].tags',
  },
  {
    name: 'what is no relationship type deep inside',
    body: {
      type: 'ip',
      attributes: { ip: '8.8.8.8' },
      associations: [{ mode: 'association', type: 'ip', attributes: { ip: '1.1.1.1' }, relationship: 'Resolves to' }],
    },
    param: 'associations[0].relationship',
  },
]

/** An association in an association, so many levels below the root. */
const associated = (levels: number): object[] =>
  levels === 0
    ? []
    : [{ mode: 'association', type: 'ip', attributes: { ip: '1.1.1.1' }, associations: associated(levels - 1) }]

test('what is nested too deep is refused as such, by the bound that it meets', async () => {
  const nested = async (associations: object[]) => {
    const response = await post('entity', { type: 'ip', attributes: { ip: '8.8.8.8' }, associations })
    return response.status === 400 ? (await errorOf(response)).message : response.status
  }
  expect(await nested(associated(10))).toBe(202)
  expect(await nested(associated(11))).toMatch(
    /^(associations\[0\]\.){10}associations is nested more than 10 levels deep$/,
  )
  expect(await nested(associated(14))).toMatch(/is nested more than 10 levels deep$/)
  for (const levels of [16, 100, 500])
    expect(await nested(associated(levels))).toBe('body: is nested deeper than 32 levels')
  // Where no field of that depth is known, the depth is still what is named.
  const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) as object[]
  expect(await nested(deep)).toBe('body: is nested deeper than 32 levels')
})

for (const { name, body, status = 400, param } of refusals) {
  test(`${name} is refused by name and publishes nothing`, async () => {
    const response = await post('entity', body)
    expect(response.status).toBe(status)
    const error = await errorOf(response)
    expect(error.param).toBe(param)
    expect(error.message).toContain(param)
    expect(log.sends).toEqual([])
  })
}

test('a log whose broker is away is a 503 that says when to come back', async () => {
  log.failWith(new LogUnavailable('does not answer: broker kafka-3.internal is down'))
  const response = await post('entity', { type: 'ip', attributes: { ip: '8.8.8.8' } })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await errorOf(response)).toMatchObject({
    code: 'log_unavailable',
    message: 'the log is unavailable; retry in a moment',
  })
})

test('a log that cannot is a 500 that tells nothing of why', async () => {
  log.failWith(new Error('broker kafka-3.internal is down'))
  const response = await post('entity', { type: 'ip', attributes: { ip: '8.8.8.8' } })
  expect(response.status).toBe(500)
  expect(await errorOf(response)).toMatchObject({ code: 'publish_failed', message: 'publish failed' })
})

test('definitions lists the whole catalogue', async () => {
  const response = await fetch(`${api.url}/api/ingest/v1/definitions`, { headers: reporter.headers })
  const list = (await response.json()) as { type: string }[]
  expect(list).toHaveLength(129)
  expect(list.find(({ type }) => type === 'ip')).toEqual({
    type: 'ip',
    description: expect.any(String),
    attributes: expect.arrayContaining(['cidr']),
    label: expect.any(String),
    dataType: 'IP',
  })
})

test('only who has both roles may clear a mark, and the id has the form of one', async () => {
  const clear = async (who: Person, id = GOOGLE) => {
    const path = `/api/ingest/v1/well-known/${id}`
    return fetch(api.url + path, { method: 'DELETE', headers: who.headers })
  }
  for (const [roles, lacking] of [
    [['reporter'], 'trusted'],
    [['trusted'], 'auth_admin'],
    [['auth_admin'], 'trusted'],
  ] as const) {
    const refused = await clear(await person(accounts, { roles: [...roles] }))
    expect(refused.status).toBe(403)
    expect((await errorOf(refused)).message).toContain(lacking)
  }
  const both = await person(accounts, { roles: ['trusted', 'auth_admin'] })
  const wrong = await clear(both, '8.8.8.8')
  expect(wrong.status).toBe(400)
  expect((await errorOf(wrong)).param).toBe('entityId')
  expect(log.sends).toEqual([])
})

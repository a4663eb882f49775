import { afterEach, beforeEach, expect, test } from 'vitest'
import { ACCEPTED_TELEMETRY, MATCH_SETTINGS } from '../../../../../schemas/log/topics.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { crew } from '../../../../builders/accounts/team.ts'
import { asAdmin } from '../../../../builders/api/api.ts'
import { type MatchArea, matchArea } from '../../../../builders/api/match-area.ts'
import { cause } from '../../../../builders/lifecycle/events.ts'

let area: MatchArea
beforeEach(async () => {
  area = await matchArea()
})
afterEach(() => area?.close())

const MIB = 1024 * 1024
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const alone = () => person(area.people.accounts, { roles: ['user'] })
const event = (given: object = {}) => ({ at: area.clock.now - 1_000, fields: { query: 'login.example.com' }, ...given })
const line = (given: object = {}) => JSON.stringify(event(given))

test('a mark of the encoding in front of the lines is no part of the first one', async () => {
  const { headers } = await alone()
  const { lines } = await area.send(headers, `\ufeff${line({ id: 'a' })}\n${line({ id: 'b' })}\n`)
  expect(lines).toEqual([
    { line: 1, id: 'a' },
    { line: 2, id: 'b' },
  ])
})

test('events are durable under their owner when they are answered, each with its id', async () => {
  const { headers, id: userId } = await alone()
  const given = line({
    id: 'a',
    kind: 'dns',
    host: 'h',
    user: 'u',
    ref: 'r',
    fields: { answers: ['8.8.8.8', '1.1.1.1'] },
  })
  const { status, lines, headers: answered } = await area.send(headers, `${given}\n${line()}\n`)
  expect(status).toBe(202)
  expect(answered.get('content-type')).toMatch(/^application\/x-ndjson/)
  expect(lines).toEqual([
    { line: 1, id: 'a' },
    { line: 2, id: expect.stringMatching(UUID) },
  ])
  const owner = `user:${userId}`
  const timestamp = area.clock.now
  const at = timestamp - 1_000
  const nothing = { feed: '', owner, kind: null, host: null, user: null, ref: null }
  expect(area.accepted()).toEqual([
    {
      key: 'a',
      timestamp,
      record: {
        ...nothing,
        id: 'a',
        at,
        kind: 'dns',
        host: 'h',
        user: 'u',
        ref: 'r',
        fields: { answers: ['8.8.8.8', '1.1.1.1'] },
      },
    },
    {
      key: lines[1].id,
      timestamp,
      record: { ...nothing, id: lines[1].id, at, fields: { query: ['login.example.com'] } },
    },
  ])
  // Both of them in one send, after the settings of their owner.
  const sends = area.log.sends.map((send) => send.map(({ topic }) => topic))
  expect(sends).toEqual([[MATCH_SETTINGS], [ACCEPTED_TELEMETRY, ACCEPTED_TELEMETRY]])
  expect(area.matchSettings.get(owner)).toMatchObject({ revision: 1, groups: ['public'], retentionDays: 30 })
  await area.send(headers, line())
  expect(area.log.sends.length).toBe(3)
})

test('the same content without an id is the same event', async () => {
  const { headers } = await alone()
  const one = await area.send(headers, line())
  const other = await area.send(headers, `\n${JSON.stringify({ ...event(), ref: null })}`)
  expect(other.lines).toEqual([{ line: 2, id: one.lines[0].id }])
})

test('events of members come under their customer', async () => {
  const team = await crew(area.people)
  for (const { id } of [team.user, team.admin]) await area.people.accounts.updateUser(id, { addRole: 'user' }, cause())
  await area.send(team.user.headers, line())
  await area.send(team.admin.headers, line())
  const owner = `customer:${team.customerId}`
  expect(area.accepted().map(({ record }) => record.owner)).toEqual([owner, owner])
  expect(area.matchSettings.get(owner)).toMatchObject({ groups: [`customer-${team.customerId}`, 'public'] })
})

test('the administrator of the configuration may send, too', async () => {
  expect((await area.send(asAdmin, line())).status).toBe(202)
})

test('a bad line refuses itself alone, and blank ones keep their number', async () => {
  const { headers } = await alone()
  const body = [
    ...['{"at":', '', line(), ' \t', '[]', line({ fields: {} }), line({ more: 1 })],
    ...[line({ at: area.clock.now + 5 * 60_000 + 1 }), line({ at: area.clock.now - 31 * 86_400_000 })],
    ...[line({ fields: { answers: Array.from({ length: 33 }, (_, i) => `1.1.1.${i}`) } }), line({ kind: 'odd' })],
    line({ fields: { query: 'x'.repeat(2_049) } }),
  ].join('\r\n')
  const { status, lines } = await area.send(headers, body)
  expect(status).toBe(202)
  const invalid = (at: number, param: string) => ({
    line: at,
    error: { code: 'invalid_parameter', message: expect.stringMatching(`^${param}: `), param },
  })
  expect(lines).toEqual([
    { line: 1, error: { code: 'malformed_json', message: 'the line is not valid JSON' } },
    { line: 3, id: expect.stringMatching(UUID) },
    invalid(5, 'event'),
    invalid(6, 'fields'),
    invalid(7, 'more'),
    invalid(8, 'at'),
    invalid(9, 'at'),
    invalid(10, 'fields'),
    invalid(11, 'kind'),
    invalid(12, 'fields.query'),
  ])
  expect(area.accepted().length).toBe(1)
})

test('the retention of the settings bounds how old an event may be', async () => {
  const { headers } = await alone()
  const old = line({ at: area.clock.now - 60 * 86_400_000 })
  expect((await area.send(headers, old)).lines).toMatchObject([{ error: { param: 'at' } }])
  await area.call(headers, 'PUT', '/settings', { selector: {}, retentionDays: 90 })
  expect((await area.send(headers, old)).lines).toMatchObject([{ id: expect.stringMatching(UUID) }])
})

test('a line of 1 MiB is read, a longer one refuses itself alone', async () => {
  const { headers } = await alone()
  const longest = line().padEnd(MIB, ' ')
  const { status, lines } = await area.send(headers, `${longest}\n${longest} \n${line()}`)
  expect(status).toBe(202)
  expect(lines).toMatchObject([
    { line: 1, id: lines[2].id },
    { line: 2, error: { code: 'body_too_large' } },
    { line: 3 },
  ])
})

test('bytes that are no UTF-8 refuse their line alone', async () => {
  const { headers } = await alone()
  const bad = Buffer.from(`{"at":1,"host":"\xff"}\n${line({ host: 'Z\u00fcrich' })}`, 'latin1')
  const { lines } = await area.send(headers, Buffer.concat([bad, Buffer.from(`\n${line({ host: 'Zürich' })}`)]))
  expect(lines).toMatchObject([
    { line: 1, error: { code: 'malformed_json', message: 'the line is not valid UTF-8' } },
    { line: 2, error: { code: 'malformed_json' } },
    { line: 3, id: expect.stringMatching(UUID) },
  ])
  expect(area.accepted()[0]!.record.host).toBe('Zürich')
})

test('many lines are answered in order, over several slices', async () => {
  const { headers } = await alone()
  const body = Array.from({ length: 1_500 }, (_, i) => (i % 3 === 0 ? '{' : line({ id: `e${i + 1}` }))).join('\n')
  const { lines } = await area.send(headers, body)
  expect(lines.map(({ line: at }) => at)).toEqual(Array.from({ length: 1_500 }, (_, i) => i + 1))
  expect(lines.filter(({ id }) => id !== undefined).every(({ line: at, id }) => id === `e${at}`)).toBe(true)
  expect(area.accepted().length).toBe(1_000)
})

const refusals: { name: string; body: () => string; type?: string; status: number; code: string }[] = [
  { name: 'an empty body', body: () => '', status: 400, code: 'malformed_json' },
  { name: 'JSON', body: () => line(), type: 'application/json', status: 415, code: 'unsupported_media_type' },
  { name: 'plain text', body: () => line(), type: 'text/plain', status: 415, code: 'unsupported_media_type' },
  {
    name: 'more than 16 MiB',
    body: () => `${line()}\n`.padEnd(16 * MIB + 1, ' '),
    status: 413,
    code: 'body_too_large',
  },
  { name: 'more lines than events fit', body: () => '1\n'.repeat(500_001), status: 413, code: 'body_too_large' },
]
for (const { name, body, type, status, code } of refusals)
  test(`${name} is refused whole, and takes nothing`, async () => {
    const { headers } = await alone()
    expect(await area.send(headers, body(), type)).toMatchObject({ status, body: { error: { code } } })
    expect([area.accepted(), area.used.size]).toEqual([[], 0])
  })

test('bodies that were answered take no room from those that follow', async () => {
  const { headers } = await alone()
  for (let i = 0; i < 5; i++) expect((await area.send(headers, 'x\n'.repeat(400_000))).status).toBe(429)
})

test('a body of blank lines has an empty answer', async () => {
  const { headers } = await alone()
  expect(await area.send(headers, '\n \n')).toMatchObject({ status: 202, text: '' })
  expect(area.accepted()).toEqual([])
})

test('a failure of the log is told, and the same request again is right', async () => {
  const { headers } = await alone()
  await area.send(headers, line())
  area.log.failNext(0)
  expect(await area.send(headers, line())).toMatchObject({ status: 500, body: { error: { code: 'publish_failed' } } })
  expect((await area.send(headers, line())).status).toBe(202)
})

const EACH = 6_000
test('each line is a unit of both keys, bad ones too; past the limit nothing is taken and nothing sent', async () => {
  const { headers, id } = await alone()
  const used = () => ['events_per_minute', 'events_per_day'].map((key) => area.used.get(`${id} ${key}`))
  const first = await area.send(headers, `${line()}\n{\n\n${line()}`)
  expect(first.headers.get('ratelimit-limit')).toBe(String(EACH))
  expect(first.headers.get('ratelimit-remaining')).toBe(String(EACH - 3))
  expect(used()).toEqual([3, 3])
  const over = await area.send(headers, '{}\n'.repeat(EACH - 2))
  expect(over).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
  expect(over.headers.get('retry-after')).toMatch(/^[1-9]/)
  expect(used()).toEqual([3, 3])
  expect(area.accepted().length).toBe(2)
  expect((await area.send(headers, '{}\n'.repeat(EACH - 3))).status).toBe(202)
  expect(used()).toEqual([EACH, EACH])
})

test('the day refuses what the minute has room for, and the minute gets its units back', async () => {
  const { headers, id } = await alone()
  area.used.set(`${id} events_per_day`, 999_999)
  expect((await area.send(headers, '{}\n{}\n')).status).toBe(429)
  expect(area.used.get(`${id} events_per_minute`)).toBe(0)
  expect((await area.send(headers, '{}\n')).status).toBe(202)
})

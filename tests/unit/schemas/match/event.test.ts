import { describe, expect, test } from 'vitest'
import { records } from '../../../../schemas/log/records.ts'
import {
  contentId,
  type EventRead,
  isExpired,
  readEvent,
  readEventRecord,
  type TelemetryEvent,
  type TelemetryRecord,
} from '../../../../schemas/match/event.ts'

const NOW = Date.UTC(2026, 0, 31)
const DAY = 86_400_000
const DAYS = 30

const given = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  at: NOW,
  fields: { query: 'bad.example.com' },
  ...over,
})

const told = (read: EventRead): string => (read.ok ? 'ok' : `${read.param} ${read.message}`)

const eventOf = (over: Record<string, unknown> = {}): TelemetryEvent => {
  const read = readEvent(given(over), NOW, DAYS)
  if (!read.ok) throw new Error(told(read))
  return read.event
}

const answers = (count: number): string[] => Array.from({ length: count }, (_, at) => `198.51.100.${at}`)

describe('an event of JSON', () => {
  test('is read whole', () => {
    const fields = { query: 'bad.example.com', answers: ['198.51.100.7', 'x.example.com'], src: '10.0.0.1' }
    expect(eventOf({ id: 'a', kind: 'dns', host: 'pc', user: 'ann', ref: 'C1', fields })).toEqual({
      id: 'a',
      at: NOW,
      kind: 'dns',
      host: 'pc',
      user: 'ann',
      ref: 'C1',
      fields: { query: ['bad.example.com'], answers: ['198.51.100.7', 'x.example.com'], src: ['10.0.0.1'] },
    })
  })

  test('has what is optional as null, whether it is absent or null', () => {
    const bare = eventOf()
    expect(bare).toMatchObject({ id: null, kind: null, host: null, user: null, ref: null })
    expect(eventOf({ id: null, kind: null, host: null, user: null, ref: null })).toEqual(bare)
  })

  test.each([
    ['2026-01-31T00:00:00Z', NOW],
    ['2026-01-31t01:00:00.123456789+01:00', NOW + 123],
    [NOW + 5 * 60_000, NOW + 5 * 60_000],
    [NOW - DAYS * DAY, NOW - DAYS * DAY],
  ])('takes the time %s', (at, time) => {
    expect(eventOf({ at }).at).toBe(time)
  })

  test.each([
    ['most values', { fields: { query: 'a.example', answers: answers(31) } }],
    ['no answers beside another value', { fields: { query: 'a.example', answers: [] } }],
    ['the longest id, host and user', { id: '\u{1f600}'.repeat(255), host: 'h'.repeat(255), user: 'u'.repeat(255) }],
    ['the longest value and reference', { ref: 'r'.repeat(2_048), fields: { url: 'é'.repeat(1_024) } }],
  ])('may have %s', (_, over) => {
    expect(told(readEvent(given(over), NOW, DAYS))).toBe('ok')
  })

  test.each<[string, unknown, string]>([
    ['null', null, 'event must be an object'],
    ['a list', [given()], 'event must be an object'],
    ['an unknown member', given({ sensor: 'a' }), 'sensor is not a member of an event'],
    ['an unknown member of the prototype', JSON.parse('{"__proto__": {}}'), '__proto__ is not a member of an event'],
    ['a long unknown member', given({ ['x'.repeat(999)]: 1 }), `${'x'.repeat(64)}... is not a member of an event`],
    [
      'no time',
      given({ at: undefined }),
      'at must be unix milliseconds or an RFC 3339 time, such as 2024-05-01T12:30:00Z',
    ],
    [
      'a fraction of a time',
      given({ at: 1_700_000_000.5 }),
      'at must be unix milliseconds or an RFC 3339 time, such as 2024-05-01T12:30:00Z',
    ],
    [
      'a day that is none',
      given({ at: '2026-02-30T00:00:00Z' }),
      'at must be unix milliseconds or an RFC 3339 time, such as 2024-05-01T12:30:00Z',
    ],
    ['unix seconds', given({ at: NOW / 1000 }), 'at must be within the last 30 days'],
    ['the far future', given({ at: NOW + 5 * 60_000 + 1 }), 'at must be at most 5 minutes from now'],
    ['the past', given({ at: NOW - DAYS * DAY - 1 }), 'at must be within the last 30 days'],
    ['an empty id', given({ id: '' }), 'id must not be empty'],
    ['a number as id', given({ id: 7 }), 'id must be text'],
    ['a long id', given({ id: 'x'.repeat(256) }), 'id must be at most 255 characters'],
    ['a long host', given({ host: 'x'.repeat(256) }), 'host must be at most 255 characters'],
    ['a NUL in a user', given({ user: 'a\0b' }), 'user must not contain a NUL character'],
    ['a long reference', given({ ref: 'é'.repeat(1_025) }), 'ref must be at most 2048 bytes'],
    ['an unknown kind', given({ kind: 'DNS' }), 'kind must be one of dns, http, tls, flow, file, auth'],
    ['no fields', given({ fields: undefined }), 'fields must be an object'],
    ['a list of fields', given({ fields: ['a'] }), 'fields must be an object'],
    ['empty fields', given({ fields: {} }), 'fields must have at least one value'],
    ['no value', given({ fields: { answers: [] } }), 'fields must have at least one value'],
    ['an unknown field', given({ fields: { domain: 'a' } }), 'fields.domain is not a field of an event'],
    [
      'a hostile field',
      given({ fields: JSON.parse('{"__proto__": ["a"]}') }),
      'fields.__proto__ is not a field of an event',
    ],
    ['a field of Object', given({ fields: { constructor: 'a' } }), 'fields.constructor is not a field of an event'],
    ['a list as value', given({ fields: { query: ['a'] } }), 'fields.query must be text'],
    ['null as value', given({ fields: { query: null } }), 'fields.query must be text'],
    ['a text as answers', given({ fields: { answers: 'a' } }), 'fields.answers must be a list of text'],
    ['a number as answer', given({ fields: { answers: ['a', 1] } }), 'fields.answers must be a list of text'],
    [
      'too many values',
      given({ fields: { query: 'a.example', answers: answers(32) } }),
      'fields must have at most 32 values',
    ],
    ['a blank value', given({ fields: { query: ' \t' } }), 'fields.query must not be blank'],
    ['a blank answer', given({ fields: { answers: ['a', ''] } }), 'fields.answers[1] must not be blank'],
    ['a long value', given({ fields: { url: 'x'.repeat(2_049) } }), 'fields.url must be at most 2048 bytes'],
    ['a NUL', given({ fields: { sni: 'a\0.example' } }), 'fields.sni must not contain a NUL character'],
    [
      'half a character',
      given({ fields: { sni: 'a\ud800' } }),
      'fields.sni must be well-formed Unicode; it contains an unpaired surrogate',
    ],
  ])('is refused: %s', (_, value, message) => {
    expect(told(readEvent(value, NOW, DAYS))).toBe(message)
  })
})

describe('an event of a record', () => {
  const record = (over: Partial<TelemetryRecord> = {}): TelemetryRecord => ({
    feed: 'sensors',
    owner: '',
    id: 'a',
    at: NOW,
    kind: 'dns',
    host: 'pc',
    user: null,
    ref: null,
    fields: { query: ['bad.example.com'], answers: ['198.51.100.7'] },
    ...over,
  })
  const decoded = (over: Partial<TelemetryRecord> = {}): TelemetryRecord =>
    records.telemetry.fromBuffer(records.telemetry.toBuffer(record(over)))

  test('is what the same JSON gives', () => {
    const fields = { query: 'bad.example.com', answers: ['198.51.100.7'] }
    const read = readEventRecord(decoded(), NOW, DAYS)
    expect(read).toEqual({ ok: true, event: eventOf({ id: 'a', kind: 'dns', host: 'pc', fields }) })
  })

  test.each<[string, Partial<TelemetryRecord>, string]>([
    ['good', {}, 'ok'],
    ['of a later time than the log', { at: NOW + DAY }, 'at must be at most 5 minutes from now'],
    ['of an old time', { at: NOW - 31 * DAY }, 'at must be within the last 30 days'],
    ['of an empty id', { id: '' }, 'id must not be empty'],
    ['of an unknown kind', { kind: 'smtp' }, 'kind must be one of dns, http, tls, flow, file, auth'],
    ['of two queries', { fields: { query: ['a', 'b'] } }, 'fields.query must be one value'],
    ['of an unknown field', { fields: { q: ['a'] } }, 'fields.q is not a field of an event'],
    ['of a field of Object', { fields: { toString: ['a'] } as never }, 'fields.toString is not a field of an event'],
    ['of no value', { fields: { query: [] } }, 'fields must have at least one value'],
    ['of many values', { fields: { answers: answers(33) } }, 'fields must have at most 32 values'],
    ['of a NUL', { fields: { query: ['\0'] } }, 'fields.query must not contain a NUL character'],
  ])('is judged: %s', (_, over, message) => {
    expect(told(readEventRecord(decoded(over), NOW, DAYS))).toBe(message)
  })
})

describe('the id of the content', () => {
  test('is the same for the same content, in whatever order and form it was sent', () => {
    const one = eventOf({ kind: 'dns', fields: { query: 'a.example', src: '198.51.100.7' } })
    const other = eventOf({ fields: { src: '198.51.100.7', answers: [], query: 'a.example' }, kind: 'dns' })
    expect(contentId({ ...other, at: one.at })).toBe(contentId(one))
    expect(contentId(eventOf({ at: '2026-01-31T00:00:00Z' }))).toBe(contentId(eventOf()))
    expect(contentId(one)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('is another for every other content', () => {
    const all = [
      ...[{}, { at: NOW + 1 }, { kind: 'dns' }, { host: 'a' }, { user: 'a' }, { ref: 'a' }],
      ...[{ fields: { query: 'x' } }, { fields: { sni: 'x' } }],
      ...[{ fields: { answers: ['x', 'y'] } }, { fields: { answers: ['x,y'] } }, { fields: { answers: ['y', 'x'] } }],
    ]
    expect(new Set(all.map((over) => contentId(eventOf(over)))).size).toBe(all.length)
  })
})

test('an event expires when its time is longer ago than the retention', () => {
  expect(isExpired({ at: NOW - DAYS * DAY }, NOW, DAYS)).toBe(false)
  expect(isExpired({ at: NOW - DAYS * DAY - 1 }, NOW, DAYS)).toBe(true)
})

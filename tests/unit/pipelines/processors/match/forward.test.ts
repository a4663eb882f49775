import { describe, expect, test } from 'vitest'
import { arrived, seenEvent, valueReader } from '../../../../../pipelines/processors/match/arrived.ts'
import { ledgerColumns } from '../../../../../pipelines/processors/match/columns/ledger-columns.ts'
import {
  candidatesIn,
  forwardMatches,
  type InIndex,
  MATCHES_A_SECOND,
  meetings,
  possibleIn,
} from '../../../../../pipelines/processors/match/forward.ts'
import { indicators } from '../../../../../pipelines/processors/match/indicators.ts'
import { entering, retroMatches } from '../../../../../pipelines/processors/match/retro.ts'
import type { TelemetryEvent } from '../../../../../schemas/match/event.ts'
import { rowMark } from '../../../../../schemas/match/ledger.ts'
import { partOf, rowsOfColumns } from '../../../../builders/history/match-model/columns.ts'

const AT = Date.UTC(2026, 0, 15, 12, 30)
const OWNER = 'customer:1'
const read = valueReader()
const TELLING = { batch: 5n, matchedAt: AT + 1 }

const event = (id: string, fields: TelemetryEvent['fields'], more: Partial<TelemetryEvent> = {}, loggedAt = AT) =>
  arrived(
    OWNER,
    seenEvent({ id, at: AT, kind: null, host: null, user: null, ref: null, fields, ...more }),
    loggedAt,
    read(fields),
  )

const NAMES = ['ip', 'cidr', 'domain']
const all: InIndex = (_, { id, type, value }) =>
  NAMES.includes(type) ? { id, type, value, reputation: -3, accuracy: 1, tags: [] } : null

function indexOf(...given: [string, string][]) {
  const index = indicators()
  for (const [type, value] of given) index.add(type, value)
  return candidatesIn(index)
}

describe('what events meet', () => {
  test('of 1,000 networks around an address each is a match, and counted in one row each', () => {
    const networks = Array.from({ length: 1_000 }, (_, n): [string, string] => {
      const bits = 32 + (n % 97)
      return ['cidr', n < 97 ? `2001:db8::/${bits}` : `2001:db8:0:${n.toString(16)}::/64`]
    })
    const candidates = indexOf(...networks)
    const events = [event('e', { dst: ['2001:db8::'] })]
    const met = meetings(events, candidates, all)
    expect(met).toHaveLength(97)
    expect(new Set(forwardMatches(events, candidates, all, TELLING).map(({ match }) => match.id)).size).toBe(97)
    const many = Array.from({ length: 904 }, (_, n) => `2001:db8:0:${(n + 97).toString(16)}::1`)
    const answers = [event('f', { answers: many })]
    const told = forwardMatches(answers, candidates, all, TELLING).map(({ match }) => match)
    expect(told.filter(({ entity }) => entity.value.endsWith('::/64')).length).toBeGreaterThanOrEqual(903)
    expect(new Set(told.map(({ entity }) => entity.id)).size).toBe(told.length)
  })

  test('two values of a field that meet one entity are one match and two rows', () => {
    const candidates = indexOf(['domain', 'evil.example'])
    const events = [event('e', { answers: ['a.evil.example', 'b.evil.example', 'A.evil.example.'] })]
    expect(forwardMatches(events, candidates, all, TELLING)).toHaveLength(1)
    expect(meetings(events, candidates, all).map(({ n }) => n)).toEqual([1, 1])
    const twice = [event('e', { query: ['evil.example'], sni: ['evil.example'] })]
    expect(forwardMatches(twice, candidates, all, TELLING).map(({ match }) => match.event.field)).toEqual([
      'query',
      'sni',
    ])
  })

  test('beyond 10,000 of an owner in a second the rest are summaries, the same whenever they are told', () => {
    const candidates = indexOf(['ip', '203.0.113.7'], ['cidr', '203.0.113.0/24'])
    const events = Array.from({ length: 6_000 }, (_, n) =>
      event(`e${n}`, { dst: ['203.0.113.7'] }, { at: AT + n }, AT + (n < 5_500 ? 0 : 1_000)),
    )
    const told = forwardMatches(events, candidates, all, TELLING)
    const summaries = told.filter(({ match }) => match.summary)
    expect(told.length - summaries.length).toBe(MATCHES_A_SECOND + 1_000)
    expect(summaries.map(({ match }) => match.event.count)).toEqual([500, 500])
    expect(summaries[0]!.match.event).toMatchObject({ at: AT + 5_000, lastAt: AT + 5_499, value: '', id: null })
    const reversed = indexOf(['cidr', '203.0.113.0/24'], ['ip', '203.0.113.7'])
    expect(forwardMatches(events, reversed, all, TELLING)).toEqual(told)
    expect(meetings(events, candidates, all).map(({ n }) => n)).toEqual([6_000, 6_000])
  })

  test('hostile values meet nothing and change nothing', () => {
    const candidates = indexOf(['domain', '__proto__'], ['cidr', 'nonsense'], ['url', 'http://evil.example/'])
    const hostile = ['__proto__', '10.0.0.1', '::1', `${'a'.repeat(64)}.example`, '\u202e', 'a..b', '%00', '999.1.1.1']
    const events = [event('e', { answers: hostile, url: ['javascript:alert(1)'], md5: ['zz'] })]
    expect(forwardMatches(events, candidates, () => expect.unreachable(), TELLING)).toEqual([])
    expect(possibleIn(events, candidates)).toEqual({ found: new Map(), events: [] })
  })
})

describe('what the ledger has met', () => {
  const entity = (type: string, value: string) => ({
    id: `${type}-1`,
    type,
    value,
    reputation: -3,
    accuracy: 1,
    tags: [],
  })
  const none = { forward: new Map(), retro: new Map() }
  const rowsOf = (n: number) => {
    const common = { feed: '', owner: OWNER, at: AT, kind: null, user: null, fields: { dst: ['203.0.113.7'] } }
    const events = Array.from({ length: n }, (_, i) => ({ ...common, id: `e${i}`, host: `h${i}`, ref: `r${i}` }))
    return rowsOfColumns(ledgerColumns(partOf(events), (_, hour) => hour))
  }

  test('rows add up events of a value, field and hour, with hosts and references up to their bounds', () => {
    const [row, ...others] = rowsOf(120)
    expect(others).toEqual([])
    expect(row).toMatchObject({ count: 120, first: AT, last: AT, value: '203.0.113.7', field: 'dst' })
    expect([row!.hosts.length, row!.refs.length]).toEqual([100, 5])
  })

  test('what a forward match was told of is left out, and what was told before says the same once', () => {
    const [row] = rowsOf(3)
    const network = entity('cidr', '203.0.113.0/24')
    const mark = rowMark(row!.value, row!.field, row!.hour)
    const told = (n: number, retro = new Map()) =>
      retroMatches(
        OWNER,
        entering([network]),
        { forward: new Map([[network.id, new Map([[mark, n]])]]), retro },
        AT,
      ).of([row!])
    expect(told(3)).toEqual([])
    const [match] = told(1)
    expect(match).toMatchObject({ direction: 'retro', event: { count: 2, host: null } })
    const known = { ...match!, entityId: network.id, field: 'dst', count: 2, matchedAt: 7 }
    expect(told(1, new Map([[match!.id, known]]))).toEqual([])
    expect(told(0, new Map([[match!.id, known]]))).toMatchObject([{ id: match!.id, matchedAt: 7, event: { count: 3 } }])
  })

  test('more rows than are told one by one become one summary, which stays one', () => {
    const [row] = rowsOf(1)
    const rows = Array.from({ length: MATCHES_A_SECOND + 5 }, (_, n) => ({ ...row!, hour: row!.hour + n * 3_600_000 }))
    const name = entity('ip', '203.0.113.7')
    const pass = retroMatches(OWNER, entering([name]), none, AT)
    expect(pass.of(rows)).toHaveLength(MATCHES_A_SECOND)
    const [summary, ...others] = pass.finish()
    expect([summary!.summary, summary!.event.count, others]).toEqual([true, 5, []])
  })
})

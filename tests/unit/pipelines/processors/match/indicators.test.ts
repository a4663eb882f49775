import { expect, test } from 'vitest'
import { arrived, seenEvent, valueReader } from '../../../../../pipelines/processors/match/arrived.ts'
import { indicators } from '../../../../../pipelines/processors/match/indicators.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { FieldName } from '../../../../../schemas/match/event.ts'
import { markBytes } from '../../../../builders/history/match-model/marks.ts'

const found = (index: ReturnType<typeof indicators>, field: FieldName, value: string): string[] =>
  valueReader()({ [field]: [value] })
    .flatMap((one) => index.candidates(one))
    .map(({ id }) => id)

test('what was added is found by every value that it matches, however it was read', () => {
  const [added, read] = [indicators(), indicators()]
  const known: [string, string][] = [
    ['domain', 'evil.example'],
    ['ip', '203.0.113.7'],
    ['url', 'http://evil.example/x'],
    ['md5', 'd41d8cd98f00b204e9800998ecf8427e'],
  ]
  for (const [type, value] of known) {
    added.add(type, value)
    read.addMarks(markBytes([value]))
  }
  added.add('cidr', '203.0.113.0/24')
  read.addNetwork('203.0.113.0/24')
  read.addNetwork('203.0.113.0/24')
  read.addNetwork('no network')
  for (const index of [added, read]) {
    expect(found(index, 'query', 'a.b.evil.example')).toContain(entityId('domain', 'evil.example'))
    expect(found(index, 'url', 'http://evil.example/x')).toContain(entityId('url', 'http://evil.example/x'))
    const around = [entityId('ip', '203.0.113.7'), entityId('cidr', '203.0.113.0/24')]
    expect(found(index, 'url', 'http://203.0.113.7/y')).toEqual(around)
    expect(found(index, 'dst', '203.0.114.7')).toEqual([])
    expect(found(index, 'query', 'xevil.example')).toEqual([])
    expect(index.size()).toBe(5)
  }
  expect(added.hasNetworkAround(() => '203.0.113.9')).toBe(true)
  expect(added.hasNetworkAround(() => '203.0.114.9')).toBe(false)
  expect(indicators().hasNetworkAround(() => expect.unreachable())).toBe(false)
  added.add('person', 'evil.example')
  expect(added.size()).toBe(5)
})

test('values of an event are read once each, private and hostile ones not at all', () => {
  const read = valueReader()
  const values = read({
    answers: ['203.0.113.7', '203.0.113.7', '10.0.0.1', '\u0000', 'EVIL.example.', 'evil.example'],
    url: [`http://evil.example/${'x'.repeat(600)}`],
  })
  expect(values.map(({ field, value }) => `${field} ${value.slice(0, 20)}`)).toEqual([
    'answers 203.0.113.7',
    'answers evil.example',
    'url http://evil.example/',
  ])
  const event = { id: null, at: 1, kind: null, host: null, user: null, ref: null, fields: { query: ['a.example'] } }
  const [one, same] = [arrived('o', seenEvent(event), 1_999, []), arrived('o', seenEvent({ ...event }), 5_000, [])]
  expect([one.second, one.event.id === same.event.id]).toEqual([1, true])
})

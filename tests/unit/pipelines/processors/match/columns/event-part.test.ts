import { expect, test } from 'vitest'
import { eventsWhere, possibleReader } from '../../../../../../pipelines/processors/match/columns/event-part.ts'
import { indicators } from '../../../../../../pipelines/processors/match/indicators.ts'
import { records } from '../../../../../../schemas/log/records.ts'
import type { TelemetryEvent } from '../../../../../../schemas/match/event.ts'
import { partOf } from '../../../../../builders/history/match-model/columns.ts'

const given = { feed: '', owner: 'o', at: 1_500, kind: 'dns', host: 'pc', user: null, ref: 'r' }
const VALUES = ['a.example.com', '203.0.113.7', '10.0.0.1', 'b.example.org']
const events = VALUES.map((value, n) => ({ ...given, id: `e${n}`, fields: { answers: ['x.example.net', value] } }))
const reader = () => possibleReader((record) => records.telemetry.decode(record, 5).value as TelemetryEvent)

test('only events that an indicator may match are read, and what comes into the index later is found as well', () => {
  const index = indicators()
  const part = partOf(events)
  const read = reader()
  const found = (of = index): string[] => read(part, of).map(({ event }) => event.id)
  expect([found(), found()]).toEqual([[], []])
  index.add('domain', 'example.com')
  expect(found()).toEqual(['e0'])
  index.add('cidr', '203.0.113.0/24')
  expect(found()).toEqual(['e0', 'e1'])
  index.add('cidr', '10.0.0.0/8')
  index.add('domain', 'example.org')
  expect([found(), found()]).toEqual([
    ['e0', 'e1', 'e3'],
    ['e0', 'e1', 'e3'],
  ])
  const other = indicators()
  for (const name of ['example.net', 'p.example', 'q.example', 'r.example']) other.add('domain', name)
  expect([other.size(), index.size()]).toEqual([4, 4])
  expect(found(other)).toEqual(['e0', 'e1', 'e2', 'e3'])
  expect(read(part, index)[1]).toEqual({
    owner: 'o',
    second: 1,
    event: { id: 'e1', at: 1_500, kind: 'dns', host: 'pc', user: null, ref: 'r' },
    values: [expect.objectContaining({ value: 'x.example.net' }), expect.objectContaining({ value: '203.0.113.7' })],
  })
})

test('events that are left out take their digests along', () => {
  const part = partOf(events)
  const some = eventsWhere(part, (n) => n % 2 === 1)
  expect([...some.events]).toEqual([1, 3])
  expect(some.digests.equals(Buffer.concat([part.digests.subarray(16, 32), part.digests.subarray(48)]))).toBe(true)
})

import { expect, test } from 'vitest'
import { MAX_EVENTS, readManifest } from '../../../../../../connectors/feeds/parse/misp/manifest.ts'
import { eventNamed } from '../../../../../../connectors/feeds/parse/misp/single.ts'
import { eventUuid } from '../../../../../builders/feeds/misp/folder.ts'

test('a manifest names events with the time of their last change', () => {
  const [a, b] = [eventUuid(1), eventUuid(2)]
  const document = { [a]: { timestamp: '1700000000', info: 'x' }, [b.toUpperCase()]: { timestamp: 1_700_000_001 } }
  expect(readManifest(document)).toEqual({
    entries: [
      { uuid: a, stamp: 1_700_000_000 },
      { uuid: b, stamp: 1_700_000_001 },
    ],
    faults: [],
  })
})

test('what is no name of an event, or has no time, is a fault and no path', () => {
  const names = ['../../etc/passwd', `${eventUuid(1)}/../x`, '', `${eventUuid(1)}.json`, '__proto__x']
  const { entries, faults } = readManifest(Object.fromEntries(names.map((name) => [name, { timestamp: '1' }])))
  expect([entries, faults.map(({ name }) => name)]).toEqual([[], names])
  for (const entry of [null, {}, { timestamp: '' }, { timestamp: '-1' }, { timestamp: 'now' }, { timestamp: 1.5 }, 'x'])
    expect(readManifest({ [eventUuid(1)]: entry }).faults).toEqual([
      { name: eventUuid(1), reason: 'its timestamp in the manifest is not a number of seconds' },
    ])
  const hex = '0000000a-0000-4000-8000-000000000000'
  const twice = { [hex]: { timestamp: '1' }, [hex.toUpperCase()]: { timestamp: '2' } }
  expect(readManifest(twice).faults).toEqual([{ name: hex.toUpperCase(), reason: 'the manifest names it twice' }])
})

test('a manifest is an object with a bounded number of events', () => {
  for (const document of [null, [], 'x', 7])
    expect(() => readManifest(document)).toThrow('not the manifest of a MISP feed')
  const many = (n: number) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [eventUuid(i), { timestamp: '1' }]))
  expect(readManifest(many(100_000)).entries).toHaveLength(100_000)
  expect(() => readManifest(many(MAX_EVENTS + 1))).toThrow(`names ${MAX_EVENTS + 1} events; at most ${MAX_EVENTS}`)
})

const OPTIONS = { reputation: -3, tags: [] }

test('a file holds the event that its name says', () => {
  const uuid = eventUuid(1)
  const event = { uuid: uuid.toUpperCase(), info: 'x', Attribute: [{ type: 'domain', value: 'a.example' }] }
  expect(eventNamed(uuid, { Event: event }, OPTIONS)).toHaveLength(1)
  expect(eventNamed(uuid, event, OPTIONS)).toHaveLength(1)
  expect(() => eventNamed(eventUuid(2), { Event: event }, OPTIONS)).toThrow('its uuid is not that of its name')
  expect(() => eventNamed(uuid, { Event: { info: 'x' } }, OPTIONS)).toThrow('the event has no uuid')
  expect(() => eventNamed(uuid, [{ Event: event }, { Event: event }], OPTIONS)).toThrow('it has 2 events')
  for (const document of [{}, [], 7, { Event: 'x' }]) expect(() => eventNamed(uuid, document, OPTIONS)).toThrow()
})

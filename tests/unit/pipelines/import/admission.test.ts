import { describe, expect, test } from 'vitest'
import { weightOfConfidence } from '../../../../connectors/feeds/parse/counts-at.ts'
import type { AcceptedItem } from '../../../../connectors/feeds/parse/item.ts'
import { MARKINGS, type Marking } from '../../../../connectors/feeds/parse/marking.ts'
import { admission, readersOf } from '../../../../pipelines/import/admission.ts'

const NOW = Date.UTC(2026, 5, 1)
const DAY = 86_400_000
const item = (rest: Partial<AcceptedItem> = {}): AcceptedItem => ({
  line: 7,
  entity: { type: 'ip', attributes: { ip: '8.8.8.8' }, reputation: -3 },
  ...rest,
})

function admit(given: AcceptedItem, groups = ['public'], markings: [Marking, string[]][] = []) {
  const readers = readersOf(groups, new Map(markings))
  return admission({ feed: { name: 'f', trust: 0.5, groups }, readers, observedAt: NOW })(given)
}
const admitted = (...args: Parameters<typeof admit>) => {
  const admitted = admit(...args)
  if ('rejected' in admitted) return admitted.rejected
  const { provenance, entity } = admitted
  return { ...provenance, reputation: entity.reputation }
}
const readers = (...args: Parameters<typeof admit>) => {
  const told = admitted(...args)
  return typeof told === 'string' ? told : told.audience
}

describe('who may read an item', () => {
  test('is everybody up to TLP:GREEN, and nobody above it, when the import names no groups', () => {
    expect(readers(item())).toEqual(['public'])
    expect(readers(item({ marking: 'clear' }))).toEqual(['public'])
    expect(readers(item({ marking: 'green' }))).toEqual(['public'])
    for (const marking of ['amber', 'amber+strict', 'red'] as const)
      expect(admit(item({ marking }))).toEqual({
        line: 7,
        rejected: `restricted (TLP:${marking.toUpperCase()}): use --visible-by or --marking ${marking}=<group> to name the groups that may read it`,
        raw: 'ip 8.8.8.8',
        marking,
      })
  })

  test('are the groups of the import, whatever the marking', () => {
    for (const marking of [undefined, ...MARKINGS])
      expect(readers(item(marking === undefined ? {} : { marking }), ['a', 'b'])).toEqual(['a', 'b'])
  })

  test('are those given for its marking, and for no stricter one', () => {
    const given: [Marking, string[]][] = [
      ['amber', ['team']],
      ['green', ['partners']],
    ]
    expect(readers(item({ marking: 'amber' }), ['public'], given)).toEqual(['team'])
    expect(readers(item({ marking: 'green' }), ['public'], given)).toEqual(['partners'])
    expect(readers(item({ marking: 'clear' }), ['public'], given)).toEqual(['public'])
    expect(readers(item({ marking: 'amber+strict' }), ['public'], given)).toMatch('restricted (TLP:AMBER+STRICT)')
    expect(readers(item({ marking: 'red' }), ['all'], given)).toEqual(['all'])
  })

  test('is everybody for what is well known', () =>
    expect(admitted(item({ wellKnown: true }))).toMatchObject({ kind: 'well_known', audience: ['public'] }))
})

describe('the confidence of a producer', () => {
  const weights: [number, number][] = [
    [0, 0],
    [1, 0.5],
    [15, 0.5],
    [29, 0.5],
    [30, 0.8],
    [50, 0.8],
    [69, 0.8],
    [70, 1],
    [85, 1],
    [100, 1],
  ]
  for (const [confidence, weight] of weights)
    test(`of ${confidence} gives a claim ${weight} of the trust`, () =>
      expect(weightOfConfidence(confidence)).toBe(weight))

  test('scales the trust of the claim; with none there is no claim', () => {
    expect(admitted(item())).toMatchObject({ trust: 0.5, reputation: -3 })
    expect(admitted(item({ confidence: 85 }))).toMatchObject({ trust: 0.5, reputation: -3 })
    expect(admitted(item({ confidence: 50 }))).toMatchObject({ trust: 0.4, reputation: -3 })
    expect(admitted(item({ confidence: 15 }))).toMatchObject({ trust: 0.25, reputation: -3 })
    expect(admitted(item({ confidence: 0 }))).toMatchObject({ trust: 0.5, reputation: null })
  })
})

describe('the time of validity', () => {
  test('that is over makes a sighting of when it ended: no claim, nor a refresh of one', () => {
    const over = admitted(item({ validFrom: NOW - 90 * DAY, validUntil: NOW - 30 * DAY }))
    expect(over).toMatchObject({ reputation: null, observedAt: NOW - 30 * DAY })
    expect(admitted(item({ validUntil: NOW }))).toMatchObject({ reputation: null, observedAt: NOW })
  })

  test('that is not over, or has no end, makes a claim of now', () => {
    expect(admitted(item({ validUntil: NOW + 1 }))).toMatchObject({ reputation: -3, observedAt: NOW })
    expect(admitted(item({ validFrom: NOW }))).toMatchObject({ reputation: -3, observedAt: NOW })
  })

  test('that has not begun makes a sighting of now', () =>
    expect(admitted(item({ validFrom: NOW + 1 }))).toMatchObject({ reputation: null, observedAt: NOW }))

  test('moves nothing further than 1,000 days back, nor into the future', () => {
    expect(admitted(item({ validUntil: 0 }))).toMatchObject({ observedAt: NOW - 1_000 * DAY })
    expect(admitted(item({ seenAt: NOW + DAY }))).toMatchObject({ observedAt: NOW, reputation: -3 })
    expect(admitted(item({ seenAt: NOW - DAY }))).toMatchObject({ observedAt: NOW - DAY })
  })
})

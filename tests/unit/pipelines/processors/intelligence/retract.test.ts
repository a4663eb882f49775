import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { faultOf } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { score } from '../../../../../schemas/intelligence/scoring/score.ts'
import type { Claim, EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'
import { retractionOf } from '../../../../builders/intelligence/retraction.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const at = (days: number): number => NOW + days * DAY

const retraction = (given: Partial<Observation> = {}): Observation =>
  observation({
    kind: 'retraction',
    reputation: null,
    observedAt: at(50),
    retracted: { from: at(10), to: at(20), held: null, described: null },
    ...given,
  })

function applied(...all: readonly Observation[]) {
  const records = all.map((o, offset) => ({ observation: o, partition: 0, offset, audience: audienceId(o.audience) }))
  return applyBatch(new Map(), records, rules)
}
const rowsOf = (...all: readonly Observation[]): EntityStates => [...applied(...all).states.values()].flat()

describe('a retraction', () => {
  const said = observation({ observedAt: at(15) })

  test('leaves a row without claims where the source was seen in the window alone, and tells the change', () => {
    const { states, changes, retractions, history, silent } = applied(said, retraction())
    const [row] = [...states.values()][0]!
    expect(row).toMatchObject({ claims: [], sources: 0, reputation: 0, accuracy: 0, due: 0, lastSeen: at(15) })
    expect(changes).toMatchObject([
      { change: { rows: [{ step: 'created' }] } },
      { change: { cause: 'retraction', rows: [{ before: { reputation: -3 }, after: { reputation: 0 } }] } },
    ])
    expect(history).toHaveLength(1)
    expect(silent.retraction).toBe(1)
    expect(retractions).toEqual([
      {
        entityId: said.entityId,
        audience: audienceId(['public']),
        source: 's1',
        from: at(10),
        to: at(20),
        at: at(50),
        offset: 1,
        trust: 0.6,
      },
    ])
  })

  test('gives back what was held before', () => {
    const before = observation({ reputation: 2, trust: 0.9, observedAt: at(5) })
    const held = { claimedAt: at(5), at: at(6) }
    const [row] = rowsOf(
      before,
      said,
      retraction({ reputation: 2, trust: 0.9, retracted: { from: at(10), to: at(20), held, described: null } }),
    )
    expect(row).toMatchObject({ reputation: 2, claims: [{ reputation: 2, trust: 0.9, ...held }] })
  })

  test('leaves a sighting of a source that was seen after the window', () => {
    const [row] = rowsOf(said, observation({ reputation: null, observedAt: at(30) }), retraction())
    expect(row).toMatchObject({ reputation: 0, accuracy: 0, claims: [{ reputation: null, claimedAt: 0, at: at(30) }] })
  })

  test('takes back what a sighting in the window refreshed', () => {
    const seen = observation({ reputation: null, observedAt: at(15) })
    const held = { claimedAt: NOW, at: at(2) }
    const [row] = rowsOf(
      observation(),
      seen,
      retraction({ reputation: -3, retracted: { from: at(10), to: at(20), held, described: null } }),
    )
    expect(row!.claims).toMatchObject([{ reputation: -3, claimedAt: NOW, at: at(2) }])
  })

  test('changes no row where the source has spoken anew since, and is known all the same', () => {
    const all = [said, observation({ observedAt: at(21) })]
    const { states, retractions, changes } = applied(...all, retraction())
    expect([...states.values()].flat()).toEqual(rowsOf(...all))
    expect(retractions).toHaveLength(1)
    expect(changes).toMatchObject([{ change: { rows: [{ step: 'created' }] } }, { change: { cause: 'report' } }])
    expect(changes).toHaveLength(2)
  })

  test('is of one source and one audience', () => {
    const all = [said, observation({ source: 's2', observedAt: at(15) })]
    for (const other of [retraction({ source: 's3' }), retraction({ audience: ['blue'] })]) {
      expect(applied(...all, other)).toMatchObject({ skipped: 1, retractions: [] })
      expect(rowsOf(...all, other)).toEqual(rowsOf(...all))
    }
  })

  test('lets the same be kept again', () => {
    const { history } = applied(said, retraction(), observation({ observedAt: at(15) + 1 }))
    expect(history).toHaveLength(2)
    const later = observation({ reputation: null, observedAt: at(20) + HOUR })
    const again = observation({ observedAt: at(15) + 2 })
    expect(applied(said, later, said, retraction(), again).history).toHaveLength(4)
  })
})

describe('over random records of several sources', () => {
  const event = fc.record({
    days: fc.integer({ min: 0, max: 40 }),
    source: fc.constantFrom('s1', 's2', 's3'),
    audience: fc.constantFrom<string[]>(['public'], ['blue']),
    reputation: fc.constantFrom(null, null, -3, -1, 0, 2),
    trust: fc.constantFrom(0.6, 0.7, 0.9),
  })
  const events = fc
    .array(event, { minLength: 1, maxLength: 14 })
    .map((all) => all.map(({ days, ...said }) => observation({ ...said, observedAt: at(days) })))
  const windows = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 20 }))
  type Case = [Observation[], [number, number]]

  const inside = (o: Observation, [from, days]: [number, number]): boolean =>
    o.source === 's1' && o.observedAt >= at(from) && o.observedAt <= at(from + days)

  /** The records that take back what s1 said, to each audience it spoke to. */
  const retractions = (all: readonly Observation[], [from, days]: [number, number]): Observation[] =>
    [['public'], ['blue']].map((audience) =>
      retractionOf(all, { source: 's1', audience }, { from: at(from), to: at(from + days) }, at(70)),
    )

  /** As far as a score goes: what a source without a claim would weigh is nothing. */
  const claimsOf = (rows: EntityStates) =>
    rows
      .flatMap((row) => row.claims.map((claim) => ({ audience: row.audience, ...counted(claim) })))
      .map((claim) => JSON.stringify(claim, (_, v) => (typeof v === 'bigint' ? String(v) : v)))
      .sort()
  const counted = ({ source, reputation, claimedAt, at, trust }: Claim) =>
    reputation === null ? { source, at } : { source, reputation, claimedAt, at, trust }

  const holds = (name: string, of: (given: Case) => void): void =>
    test(name, () =>
      fc.assert(
        fc.property(events, windows, (all, window) => of([all, window])),
        { numRuns: 500 },
      ),
    )

  holds('the claims are those of the records without the window', ([all, window]) => {
    const rows = rowsOf(...all, ...retractions(all, window))
    const left = all.filter((o) => !inside(o, window))
    expect(claimsOf(rows)).toEqual(claimsOf(rowsOf(...left)))
    for (const row of rows) {
      const { reputation, accuracy, best, worst } = row
      expect({ reputation, accuracy, best, worst }).toEqual(score(row.type, row.claims, row.scoredAt))
    }
  })

  holds('a second retraction changes nothing', ([all, window]) => {
    const made = retractions(all, window)
    expect(made.map((o) => faultOf(o, at(70)))).toEqual([null, null])
    expect(rowsOf(...all, ...made, ...made)).toEqual(rowsOf(...all, ...made))
  })

  holds('it does not matter when the others speak', ([all, window]) => {
    const others = all.filter((o) => o.source !== 's1')
    const own = all.filter((o) => o.source === 's1')
    const made = retractions(all, window)
    expect(claimsOf(rowsOf(...own, ...made, ...others))).toEqual(claimsOf(rowsOf(...all, ...made)))
  })
})

describe('a retraction is refused', () => {
  const window = { from: at(10), to: at(20) }
  const held = { claimedAt: at(5), at: at(6) }
  const cases: { name: string; given: Partial<Observation>; fault: string | null }[] = [
    {
      name: 'never as it should be',
      given: { reputation: -3, retracted: { ...window, held, described: null } },
      fault: null,
    },
    {
      name: 'without a window',
      given: { retracted: null },
      fault: 'retracted is required in retractions and not allowed in other records',
    },
    {
      name: 'when it ends after it was made',
      given: { retracted: { from: at(10), to: at(51), held: null, described: null } },
      fault: 'the window of a retraction must end before the retraction',
    },
    {
      name: 'when it ends before it begins',
      given: { retracted: { from: at(10), to: at(9), held: null, described: null } },
      fault: 'the window of a retraction must end before the retraction',
    },
    { name: 'with a tag', given: { tags: ['a'] }, fault: 'a retraction must contain only what was held before' },
    { name: 'of nobody', given: { audience: [] }, fault: 'audience is empty' },
    {
      name: 'with a claim of no time',
      given: { reputation: 1 },
      fault: 'a retraction restores a claim that was never held',
    },
    {
      name: 'with a time of no claim',
      given: { retracted: { ...window, held, described: null } },
      fault: 'the restored reputation and its time must be given together',
    },
    {
      name: 'when it gives back what was said in the window',
      given: { reputation: 1, retracted: { ...window, held: { claimedAt: at(5), at: at(10) }, described: null } },
      fault: 'a restored claim must be older than the window',
    },
  ]
  for (const { name, given, fault } of cases) test(name, () => expect(faultOf(retraction(given), at(50))).toBe(fault))
})

describe('what a retraction takes of the description', () => {
  const said = observation({ observedAt: at(15), tags: ['a', 'b'], attributes: { text: 'new' } })
  const other = observation({ source: 'other', observedAt: at(5), tags: ['a'], attributes: { text: 'old' } })
  const described = { version: 2, tags: ['b'], attributes: { text: { value: 'old', at: at(5) } } }
  const taking = (of: Partial<typeof described> = {}) =>
    retraction({ retracted: { from: at(10), to: at(20), held: null, described: { ...described, ...of } } })

  test('is what the record names, beside the claim', () => {
    expect(rowsOf(other, said, taking())).toMatchObject([
      { tags: ['a'], lostTags: ['b'], attributes: { text: 'old' }, attributeTimes: { text: at(5) }, sources: 1 },
    ])
  })

  test('is nothing when the row has changed since: the claim goes alone', () => {
    const later = observation({ source: 'third', observedAt: at(16), tags: ['b'] })
    expect(rowsOf(other, said, later, taking())).toMatchObject([
      { tags: ['a', 'b'], lostTags: [], attributes: { text: 'new' }, sources: 2 },
    ])
  })

  test('is taken by a record without a window, which keeps nothing of the source from counting', () => {
    const alone = (version: number) =>
      retraction({ retracted: { from: 1, to: 1, held: null, described: { ...described, version } } })
    const { states, retractions } = applied(other, said, alone(2))
    expect([...states.values()].flat()).toMatchObject([{ tags: ['a'], sources: 2 }])
    expect(retractions).toEqual([])
    expect(applied(other, said, alone(1)).skipped).toBe(1)
  })

  test('is all of a row without any claim left, which the next report describes as new', () => {
    const back = observation({ observedAt: at(60), tags: ['c'], attributes: { port: '1/tcp' } })
    expect(rowsOf(said, taking())).toMatchObject([{ retracted: true, tags: [], lostTags: ['a', 'b'], attributes: {} }])
    expect(rowsOf(said, taking(), back)).toMatchObject([
      {
        retracted: false,
        tags: ['c'],
        lostTags: ['a', 'b'],
        attributes: { port: '1/tcp' },
        firstSeen: at(60),
        lastSeen: at(60),
      },
    ])
    const again = observation({ observedAt: at(60), tags: ['a'] })
    expect(rowsOf(said, taking(), again)).toMatchObject([{ tags: ['a'], lostTags: ['b'] }])
  })

  test('takes the row out of the counters, and a report brings it back', () => {
    expect(applied(said, taking()).deltas).toEqual([])
    expect(applied(said, taking(), observation({ observedAt: at(60) })).deltas).not.toEqual([])
  })

  const many = Array.from({ length: 1_001 }, (_, i) => `t${i}`)
  test.each([
    ['no version', { version: 0 }, /version of the row/],
    ['too many tags', { tags: many }, /too many tags/],
    ['a value that is not in its normal form', { attributes: { port: { value: '22', at: 1 } } }, /normal form/],
    ['a value without a time', { attributes: { text: { value: 'a', at: 0 } } }, /no time/],
  ])('is refused with %s', (_, of, reason) => {
    const record = retraction({
      retracted: { from: at(10), to: at(20), held: null, described: { ...described, ...of } as typeof described },
    })
    expect(faultOf(record, at(50))).toMatch(reason)
  })
})

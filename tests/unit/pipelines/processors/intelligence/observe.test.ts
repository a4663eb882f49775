import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { cellOf } from '../../../../../schemas/intelligence/state/counters.ts'
import { type EntityState, type EntityStates, withRow } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../../../schemas/intelligence/state/entity-view.ts'
import type { Positioned } from '../../../../../schemas/intelligence/state/stored.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'

const rules = {
  dedupeWindow: HOUR,
  locate: (ip: string) =>
    ip === '8.8.8.8' ? { country: 'United States', asn: 15169, aso: 'GOOGLE' } : { country: '', asn: 0, aso: '' },
}

const positioned = (all: Partial<Observation>[], from = 0): Positioned[] =>
  all.map((given, i) => {
    const o = observation(given)
    return { observation: o, partition: 0, offset: from + i, audience: audienceId(o.audience) }
  })

type Stored = Map<string, EntityStates>

/** Applies a batch and stores what it says, as the job does. */
function apply(stored: Stored, records: Positioned[]) {
  const applied = applyBatch(stored, records, rules)
  for (const row of applied.rows) {
    stored.set(row.entityId, withRow(stored.get(row.entityId) ?? [], row))
  }
  return applied
}

const oneRow = (...all: Partial<Observation>[]): EntityState => {
  const stored: Stored = new Map()
  apply(stored, positioned(all))
  return [...stored.values()][0]![0]!
}

describe('a repeat', () => {
  const kept = (...all: Partial<Observation>[]): number => apply(new Map(), positioned(all)).history.length

  const cases: { name: string; given: Partial<Observation>[]; want: number }[] = [
    {
      name: 'of the same content within the window adds no record',
      given: [{}, { observedAt: NOW + HOUR - 1 }],
      want: 1,
    },
    { name: 'at the end of the window is a new record', given: [{}, { observedAt: NOW + HOUR }], want: 2 },
    {
      name: 'is measured from the record that was kept, not from the last repeat',
      given: [{}, { observedAt: NOW + HOUR / 2 }, { observedAt: NOW + HOUR + 1 }],
      want: 2,
    },
    { name: 'of an earlier content (A, B, A) is a new record', given: [{}, { reputation: -2 }, {}], want: 3 },
    { name: 'by another source is a record of its own', given: [{}, { source: 's2' }], want: 2 },
    { name: 'for another audience is a record of its own', given: [{}, { audience: ['g'] }], want: 2 },
    { name: 'with another tag is a new record', given: [{}, { tags: ['x'] }], want: 2 },
    { name: 'with another attribute is a new record', given: [{}, { attributes: { text: 'x' } }], want: 2 },
    {
      name: 'with its attributes in another order adds none',
      given: [{ attributes: { text: 'x', os: 'y' } }, { attributes: { os: 'y', text: 'x' } }],
      want: 1,
    },
  ]
  for (const { name, given, want } of cases) test(name, () => expect(kept(...given)).toBe(want))

  test("moves the entity's last sighting and the claim's age", () => {
    const row = oneRow({}, { observedAt: NOW + HOUR / 2 })
    expect(row.lastSeen).toBe(NOW + HOUR / 2)
    expect(row.claims[0]!.at).toBe(NOW + HOUR / 2)
  })
})

describe('the claim of a source', () => {
  const cases: { name: string; given: Partial<Observation>[]; want: Partial<EntityState> }[] = [
    {
      name: 'is its latest statement',
      given: [{ reputation: -3 }, { reputation: 2, observedAt: NOW + 1 }],
      want: { reputation: 2 },
    },
    {
      name: 'is the latest by observation time, not by arrival',
      given: [{ reputation: -3 }, { reputation: 2, observedAt: NOW - 1 }],
      want: { reputation: -3, firstSeen: NOW - 1, lastSeen: NOW },
    },
    {
      name: 'is not made by a sighting',
      given: [{ reputation: null }],
      want: { reputation: 0, accuracy: 0, sources: 1 },
    },
    { name: 'survives a sighting', given: [{}, { reputation: null, observedAt: NOW + 1 }], want: { reputation: -3 } },
    {
      name: 'stays fresh by a sighting of the same source',
      given: [{}, { reputation: null, observedAt: NOW + 21 * DAY }],
      want: { reputation: -3 },
    },
    {
      name: 'fades when only another source sights the entity',
      given: [{}, { source: 's2', reputation: null, observedAt: NOW + 21 * DAY }],
      want: { reputation: -1 },
    },
    {
      name: 'adds no weight by repetition',
      given: [{}, {}, {}, { source: 's2', reputation: 3 }],
      want: { reputation: 0 },
    },
  ]
  for (const { name, given, want } of cases) test(name, () => expect(oneRow(...given)).toMatchObject(want))
})

describe('a row', () => {
  test('unites tags and keeps the latest value of each attribute', () => {
    const row = oneRow(
      { tags: ['b'], attributes: { text: 'new', os: 'linux' } },
      { tags: ['a'], attributes: { text: 'old' }, observedAt: NOW - 1, source: 's2' },
    )
    expect(row).toMatchObject({ tags: ['a', 'b'], attributes: { text: 'new', os: 'linux' } })
  })

  test('is located by the IP database unless an attribute says otherwise', () => {
    expect(oneRow({})).toMatchObject({ country: 'United States', asn: 15169, aso: 'GOOGLE' })
    const stated = oneRow({ attributes: { country: 'France', asn: '99' } })
    expect(stated).toMatchObject({ country: 'France', asn: 99, aso: 'GOOGLE' })
  })

  test('counts an AS number outside 32 bits as unknown', () => {
    expect(oneRow({ attributes: { asn: '-5' } }).asn).toBe(0)
  })
})

describe('a well-known mark', () => {
  const mark: Partial<Observation> = { kind: 'well_known', reputation: null, source: 't' }

  test('floors what came before and what comes later, for every audience', () => {
    const stored: Stored = new Map()
    apply(stored, positioned([{}, { audience: ['g'] }, mark, { audience: ['h'], source: 's3' }]))
    const rows = [...stored.values()].flat()
    expect(rows).toHaveLength(3)
    for (const row of rows)
      expect(row).toMatchObject({
        reputation: 0,
        wellKnown: true,
        accuracy: row.claims.some((c) => c.reputation !== null) ? 1 : 0,
      })
  })

  test('keeps the claims as evidence, and a good reputation', () => {
    expect(oneRow({}, mark).claims.map((c) => c.reputation)).toEqual([-3, null])
    expect(oneRow({ reputation: 3 }, mark).reputation).toBe(3)
  })

  test('is a record although the same source sighted the entity just before', () => {
    expect(apply(new Map(), positioned([{ ...mark, kind: 'report' }, mark])).history).toHaveLength(2)
  })
})

describe('a covered record', () => {
  const covered: Partial<Observation> = { kind: 'covered', reputation: null, source: 'cidr-x', audience: [] }

  test('floors what came before and what comes later, for every audience, and makes nothing well known', () => {
    const stored: Stored = new Map()
    const log = positioned([{}, { audience: ['g'] }, covered, { audience: ['h'], source: 's3' }, { source: 's4' }])
    const { history, audiences } = apply(stored, log)
    const rows = [...stored.values()].flat()
    expect(rows.map((row) => [row.reputation, row.covered, row.wellKnown])).toEqual([
      [0, true, false],
      [0, true, false],
      [0, true, false],
    ])
    expect(history.map((record) => record.wellKnown)).toEqual([false, false, false, false])
    expect([...audiences.values()]).toEqual([['public'], ['g'], ['h']])
  })

  test('leaves claims, tags, times and a good reputation as they are', () => {
    const later = { ...covered, observedAt: NOW + HOUR }
    const before = oneRow({ reputation: 2, tags: ['a'] })
    const after = oneRow({ reputation: 2, tags: ['a'] }, later)
    expect(after).toEqual({ ...before, version: 2, covered: true })
  })

  test('takes the entity out of the counters of negative ones', () => {
    const stored: Stored = new Map()
    apply(stored, positioned([{}]))
    const { deltas, silent } = apply(stored, positioned([covered], 1))
    expect(silent.covered).toBe(1)
    expect(deltas).toContainEqual({
      audience: audienceId(['public']),
      dim: 'cell',
      malicious: true,
      key: 'ip|-3|1',
      n: -1,
    })
    expect(deltas).toContainEqual({
      audience: audienceId(['public']),
      dim: 'cell',
      malicious: false,
      key: 'ip|0|1',
      n: 1,
    })
  })

  test('a second one, or one of an entity that nobody reported, changes nothing', () => {
    const stored: Stored = new Map()
    apply(stored, positioned([{}, covered]))
    for (const log of [positioned([covered], 2), positioned([{ ...covered, value: '9.9.9.9' }], 3)])
      expect(applyBatch(stored, log, rules)).toMatchObject({
        rows: [],
        deltas: [],
        history: [],
        skipped: 1,
        silent: { covered: 0, tick: 0, retraction: 0 },
      })
  })

  test('gives the floor to whoever folds several audiences', () => {
    const stored: Stored = new Map()
    apply(stored, positioned([{}, { audience: ['g'] }, covered]))
    expect(fold(stored.get(observation().entityId)!)).toMatchObject({ reputation: 0, wellKnown: false, covered: true })
  })
})

describe('a mark that covers', () => {
  const mark = { type: 'cidr', value: '8.8.8.0/24', kind: 'well_known', reputation: null } as const

  test('says so in its row, for good', () => {
    expect(oneRow({ ...mark, covers: true }, { ...mark, covers: false, source: 's2' })).toMatchObject({ covers: true })
    expect(oneRow({ ...mark, covers: false })).toMatchObject({ covers: false, wellKnown: true })
  })

  test('is a record although the same source marked the entity just before without it', () => {
    expect(apply(new Map(), positioned([mark, { ...mark, covers: true }])).history).toHaveLength(2)
  })
})

describe('the batch', () => {
  test('gives a history record the accuracy that the claims of its audience gave with it', () => {
    const { history } = apply(new Map(), positioned([{}, { source: 's2' }, { source: 's3', audience: ['g'] }]))
    expect(history.map((h) => h.accuracy)).toEqual([1, 2, 1])
  })

  test('links what an observation links, repeats too', () => {
    const links = [{ mode: 'association' as const, entityId: 'domain-x', relationship: null }]
    expect(apply(new Map(), positioned([{ links }, { links }])).edges).toHaveLength(2)
  })
})

describe('for any log', () => {
  const anyReport = fc.record({
    value: fc.constantFrom('8.8.8.8', '9.9.9.9', '1.1.1.1'),
    source: fc.constantFrom('a', 'b', 'c'),
    audience: fc.constantFrom('public', 'g', 'h').map((g) => [g]),
    reputation: fc.option(fc.integer({ min: -3, max: 3 })),
    tags: fc.subarray(['x', 'y']),
    kind: fc.oneof(
      { arbitrary: fc.constant('report' as const), weight: 9 },
      { arbitrary: fc.constant('well_known' as const), weight: 1 },
    ),
    observedAt: fc.integer({ min: NOW - 3 * DAY, max: NOW }),
  })
  const covered = (value: string): Partial<Observation> => ({ kind: 'covered', value, audience: [], reputation: null })
  const anyLog = fc.array(
    fc.oneof(
      { arbitrary: anyReport.map((report): Partial<Observation> => report), weight: 9 },
      { arbitrary: fc.constantFrom('8.8.8.8', '9.9.9.9', '1.1.1.1').map(covered), weight: 1 },
    ),
    { maxLength: 40 },
  )
  const cuts = fc.array(fc.nat(40), { maxLength: 6 })

  const portions = (log: Positioned[], at: number[]): Positioned[][] => {
    const bounds = [0, ...at.map((c) => Math.min(c, log.length)), log.length].sort((a, b) => a - b)
    return bounds.slice(1).map((end, i) => log.slice(bounds[i], end))
  }

  test('the same rows and records follow however it is cut into batches', () => {
    fc.assert(
      fc.property(anyLog, cuts, (given, at) => {
        const log = positioned(given)
        const [whole, cut]: [Stored, Stored] = [new Map(), new Map()]
        const { history } = apply(whole, log)
        const records = portions(log, at).flatMap((portion) => apply(cut, portion).history)
        expect(cut).toEqual(whole)
        expect(records).toEqual(history)
      }),
    )
  })

  test('reading any part of it again changes nothing', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(40), (given, from) => {
        const log = positioned(given)
        const stored: Stored = new Map()
        apply(stored, log)
        const again = applyBatch(stored, log.slice(from), rules)
        expect(again).toMatchObject({ history: [], rows: [], deltas: [], edges: [] })
      }),
    )
  })

  test('the counters add up to a recount of the rows', () => {
    fc.assert(
      fc.property(anyLog, cuts, (given, at) => {
        const stored: Stored = new Map()
        const counted = new Map<string, number>()
        for (const portion of portions(positioned(given), at))
          for (const { audience, dim, malicious, key, n } of apply(stored, portion).deltas) {
            const id = `${audience} ${dim} ${malicious} ${key}`
            counted.set(id, (counted.get(id) ?? 0) + n)
          }
        const recount = new Map<string, number>()
        const add = (id: string) => recount.set(id, (recount.get(id) ?? 0) + 1)
        for (const rows of stored.values())
          for (const r of rows) {
            const bad = r.reputation < 0
            add(`${r.audience} cell ${bad} ${r.type}|${r.reputation}|${r.accuracy}`)
            add(`${r.audience} day ${bad} ${new Date(r.lastSeen).toISOString().slice(0, 10)}`)
            for (const t of r.tags) add(`${r.audience} tag ${bad} ${t}`)
            if (r.country) add(`${r.audience} country ${bad} ${r.country}`)
            if (r.asn) add(`${r.audience} asn ${bad} ${r.asn}`)
            if (r.aso) add(`${r.audience} aso ${bad} ${r.aso}`)
          }
        expect(new Map([...counted].filter(([, n]) => n !== 0))).toEqual(recount)
      }),
    )
  })

  test('wherever a covered record stands behind the first report to its audience, or to everybody, the floor is the same', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { minLength: 1, maxLength: 12 }), fc.nat(12), (given, at) => {
        const [first, ...reports] = given.map((o) => ({ ...o, value: '8.8.8.8' }))
        const place = at % given.length
        const known = first!.audience!.includes('public')
          ? reports
          : reports.map((o) => ({ ...o, ...first, source: o.source }))
        const [early, late]: [Stored, Stored] = [new Map(), new Map()]
        apply(early, positioned([first!, ...known.slice(0, place), covered('8.8.8.8'), ...known.slice(place)]))
        apply(late, positioned([first!, ...known, covered('8.8.8.8')]))
        const told = (stored: Stored) =>
          [...stored.values()]
            .flat()
            .map(({ audience, reputation, accuracy, covered: is }) => ({ audience, reputation, accuracy, is }))
        expect(told(early)).toEqual(told(late))
        expect(told(late).every((row) => row.is && row.reputation >= 0)).toBe(true)
      }),
    )
  })

  test('nothing of one audience shows in the row of another, but that of public: not even that a mark covers it', () => {
    fc.assert(
      fc.property(anyLog, fc.constantFrom('public', 'g'), (given, group) => {
        const [all, own]: [Stored, Stored] = [new Map(), new Map()]
        // A mark is always public.
        const log = positioned(given.map((o) => (o.kind === 'well_known' ? { ...o, audience: ['public'] } : o)))
        apply(all, log)
        const read = [audienceId(['public']), audienceId([group])]
        apply(
          own,
          log.filter((r) => r.observation.kind === 'covered' || read.includes(r.audience)),
        )
        for (const [id, rows] of own) expect(all.get(id)!.filter((r) => read.includes(r.audience))).toEqual(rows)
      }),
    )
  })
})

test('cellOf reads what a counter key says', () => {
  expect(cellOf('ip|-3|1')).toEqual({ type: 'ip', reputation: -3, accuracy: 1 })
})

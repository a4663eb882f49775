import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { othersOf, withGroups } from '../../../../../pipelines/processors/intelligence/changes.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Link, Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import type { EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { DAY, HOUR, NOW } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const link = { mode: 'association' as const, entityId: entityId('domain', 'example.com'), relationship: null }
const MINUTE = 60_000

const changesAfter = (...all: Partial<Observation>[]): Change[] => replayedChanges(positioned(all), rules)

/** Each change as its offset and the steps of its rows. */
const steps = (changes: readonly Change[]) =>
  changes.map(({ offset, rows }) => [offset, ...rows.map(({ audience, step }) => `${audience} ${step}`).sort()])

test('a sighting that comes late is told when a reader may have let go of the entity by then, however little it adds', () => {
  const told = (minutes: number): number[] => {
    const late = positioned([{}, { observedAt: NOW + MINUTE }]).map((one, i) => {
      return { ...one, loggedAt: NOW + i * minutes * MINUTE }
    })
    return replayedChanges(late, rules).map(({ offset }) => offset)
  }
  expect([told(49), told(50)]).toEqual([[0], [0, 1]])
})

describe('a record', () => {
  const cases: { name: string; given: Partial<Observation>[]; want: (string | number)[][] }[] = [
    { name: 'of an entity that is new creates its row', given: [{}], want: [[0, 'public created']] },
    { name: 'that repeats another within the hour changes nothing', given: [{}, {}], want: [[0, 'public created']] },
    {
      name: 'that sees an entity again changes it after 50 minutes, and not before',
      given: [{}, { observedAt: NOW + 50 * MINUTE - 1 }, { observedAt: NOW + 100 * MINUTE - 1 }],
      want: [
        [0, 'public created'],
        [2, 'public changed'],
      ],
    },
    {
      name: 'with another reputation, accuracy, tag or attribute changes the row',
      given: [{}, { reputation: 1 }, { source: 's2' }, { tags: ['t'] }, { attributes: { country: 'France' } }],
      want: [
        [0, 'public created'],
        [1, 'public changed'],
        [2, 'public changed'],
        [3, 'public changed'],
        [4, 'public changed'],
      ],
    },
    {
      name: 'with the same attributes and tags as the row changes nothing',
      given: [
        { tags: ['t'], attributes: { country: 'France' } },
        { tags: ['t'], attributes: { country: 'France' }, observedAt: NOW + 1 },
      ],
      want: [[0, 'public created']],
    },
    {
      name: 'with links is told, a repeat too: it may name others than what it repeats',
      given: [{}, { links: [link] }, {}, { links: [link], observedAt: NOW + 1 }],
      want: [
        [0, 'public created'],
        [1, 'public changed'],
        [3, 'public changed'],
      ],
    },
    {
      name: 'of an entity with rows of several audiences is told with all of them, a repeat too',
      given: [{ audience: ['blue'] }, { reputation: 2 }, { reputation: 2 }],
      want: [
        [0, 'blue created'],
        [1, 'blue same', 'public created'],
        [2, 'blue same', 'public changed'],
      ],
    },
    {
      name: 'that marks what is well known changes every row',
      given: [{ audience: ['blue'] }, { kind: 'well_known', reputation: null }],
      want: [
        [0, 'blue created'],
        [1, 'blue changed', 'public created'],
      ],
    },
    {
      name: 'that lies under a mark changes every row once',
      given: [{}, { kind: 'covered' }, { kind: 'covered' }],
      want: [
        [0, 'public created'],
        [1, 'public changed'],
      ],
    },
  ]
  for (const { name, given, want } of cases) test(name, () => expect(steps(changesAfter(...given))).toEqual(want))

  test('says what it is about and what it changed', () => {
    const [, change] = changesAfter({ tags: ['t'] }, { reputation: 1, observedAt: NOW + DAY, id: 'o2' })
    expect(change).toMatchObject({
      observationId: 'o2',
      cause: 'report',
      entityId: entityId('ip', '8.8.8.8'),
      type: 'ip',
      value: '8.8.8.8',
      sourceKind: 'user',
      observedAt: NOW + DAY,
      partition: 3,
      offset: 1,
      audience: ['public'],
      wide: false,
      rows: [
        {
          audience: ['public'],
          before: { reputation: -3, lastSeen: NOW, tags: ['t'] },
          after: { reputation: 1, lastSeen: NOW + DAY, tags: ['t'], claims: [], attributes: {} },
        },
      ],
    })
  })

  test('carries the claims of all rows when there are several, unless they are too many', () => {
    const sources = (n: number) => Array.from({ length: n }, (_, i) => ({ source: `s${i}` }))
    const few = changesAfter(...sources(3), { audience: ['blue'] }).at(-1)!
    expect(few.wide).toBe(false)
    expect(few.rows.map(({ after }) => after.claims.length).sort()).toEqual([1, 3])
    const many = changesAfter(...sources(256), { audience: ['blue'] }).at(-1)!
    expect(many.wide).toBe(true)
    expect(many.rows.map(({ after }) => after.claims)).toEqual([[], []])
  })
})

const anyLog = fc.array(
  fc.record({
    value: fc.constantFrom('8.8.8.8', '9.9.9.9'),
    source: fc.constantFrom('s1', 's2', 's3'),
    audience: fc.constantFrom<string[][]>(['public'], ['blue'], ['blue', 'red']),
    reputation: fc.constantFrom(-3, -1, 0, 3, null),
    tags: fc.constantFrom<string[][]>([], ['t'], ['t', 'u']),
    attributes: fc.constantFrom<Record<string, string>>({}, { country: 'France' }, { country: 'Spain', asn: '7' }),
    kind: fc.constantFrom<Observation['kind']>('report', 'report', 'report', 'well_known', 'covered'),
    observedAt: fc.integer({ min: 0, max: 40 }).map((days) => NOW + days * DAY),
    links: fc.constantFrom<Link[][]>([], [link]),
  }),
  { maxLength: 30 },
)

describe('for any log', () => {
  test('each change goes on where the one before it ended, and the last ones show what the rows show', () => {
    fc.assert(
      fc.property(anyLog, (given) => {
        const log = positioned(given)
        const { states } = applyBatch(new Map(), log, rules)
        const known = new Map<string, { reputation: number; tags: readonly string[] }>()
        for (const { entityId: id, rows } of replayedChanges(log, rules))
          for (const { audience, step, before, after } of rows) {
            const key = `${id} ${audienceId(audience)}`
            expect(step === 'created').toBe(!known.has(key))
            if (step === 'changed') expect(before).toMatchObject(known.get(key)!)
            if (step === 'same') expect(after).toMatchObject(known.get(key)!)
            const { reputation, accuracy, wellKnown, covered, tags, country, asn } = after
            known.set(key, { reputation, accuracy, wellKnown, covered, tags, country, asn } as never)
          }
        const rows = [...states.values()].flat()
        expect(known.size).toBe(rows.length)
        for (const row of rows) expect(row).toMatchObject(known.get(`${row.entityId} ${row.audience}`)!)
      }),
      { numRuns: 300 },
    )
  })

  test('what each record names stands in its change, whatever else it changed', () => {
    fc.assert(
      fc.property(anyLog, (given) => {
        const log = positioned(given)
        const told = new Map(replayedChanges(log, rules).map(({ offset, links }) => [offset, links]))
        for (const { observation, offset } of log) expect(told.get(offset) ?? []).toEqual(observation.links)
      }),
      { numRuns: 300 },
    )
  })

  test('every change has an id of its own, the same however the log is cut and rows are ordered', () => {
    fc.assert(
      fc.property(anyLog, fc.nat({ max: 30 }), (given, cut) => {
        const log = positioned(given)
        const whole = replayedChanges(log, rules)
        expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length)
        const first = applyBatch(new Map(), log.slice(0, cut), rules)
        const turned = new Map([...first.states].map(([id, rows]): [string, EntityStates] => [id, rows.toReversed()]))
        const second = applyBatch(turned, log.slice(cut), rules)
        const groups = new Map([...first.audiences, ...second.audiences])
        expect([...first.changes, ...second.changes].map((told) => withGroups(told, groups))).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })
})

test('groups are asked for of the audiences that a record is not of, and their lack is an error', () => {
  const { changes } = applyBatch(new Map(), positioned([{ audience: ['blue'] }, {}]), rules)
  expect(changes.map(othersOf)).toEqual([[], [audienceId(['blue'])]])
  expect(withGroups(changes[0]!).rows[0]!.audience).toEqual(['blue'])
  expect(() => withGroups(changes[1]!)).toThrow(/^the groups of the audience \d+ are not stored$/)
})

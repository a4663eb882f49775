import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { audiencesOf, changeOf, changesOf } from '../../../../../pipelines/processors/intelligence/changes.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../../schemas/intelligence/observations/audience.ts'
import type { Link, Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import type { EntityState, EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../../../schemas/intelligence/state/stored.ts'
import { replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { DAY, HOUR, NOW, observation } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const link = { mode: 'association' as const, entityId: entityId('domain', 'example.com') }
/** What a covered record may not state. */
const COVERED = { kind: 'covered', audience: [], reputation: null, tags: [], links: [] } as const

const positioned = (all: readonly Partial<Observation>[]): Positioned[] =>
  all.map((given, offset) => {
    const o = observation({
      ...given,
      ...(given.kind === 'covered' && { ...COVERED, audience: [], tags: [], links: [] }),
    })
    return { observation: o, partition: 3, offset, audience: audienceId(o.audience) }
  })

const changesAfter = (...all: Partial<Observation>[]): Change[] => replayedChanges(positioned(all), rules)

describe('an observation', () => {
  const cases: { name: string; given: Partial<Observation>[]; want: Partial<Change>[] }[] = [
    {
      name: 'of an entity that is new tells that it was created',
      given: [{ tags: ['t'], sourceKind: 'scan' }],
      want: [
        {
          kind: 'created',
          entityId: entityId('ip', '8.8.8.8'),
          type: 'ip',
          value: '8.8.8.8',
          audience: ['public'],
          reputation: -3,
          accuracy: 1,
          previousReputation: null,
          tags: ['t'],
          links: [],
          mark: null,
          sourceKind: 'scan',
          observedAt: NOW,
          partition: 3,
          offset: 0,
        },
      ],
    },
    { name: 'that repeats another tells nothing', given: [{}, {}], want: [{ kind: 'created' }] },
    {
      name: 'that makes another reputation tells both',
      given: [{}, { reputation: 1, tags: ['t'] }],
      want: [{ kind: 'created' }, { kind: 'scored', previousReputation: -3, reputation: 1, tags: ['t'] }],
    },
    {
      name: 'that makes another accuracy alone tells it',
      given: [{}, { source: 's2' }],
      want: [{ kind: 'created' }, { kind: 'scored', previousReputation: -3, reputation: -3, accuracy: 2 }],
    },
    {
      name: 'of the same, with another tag, tells nothing of the score',
      given: [{}, { tags: ['t'] }],
      want: [{ kind: 'created' }],
    },
    {
      name: 'tells its links, again when it is kept again, and not as a repeat',
      given: [{ links: [link] }, { links: [link] }, { links: [link], tags: ['t'] }],
      want: [
        { kind: 'created', links: [], offset: 0 },
        { kind: 'linked', links: [link], offset: 0 },
        { kind: 'linked', links: [link], offset: 2, tags: [] },
      ],
    },
    {
      name: 'for another audience creates the entity there, and tells each audience its own alone',
      given: [{ tags: ['secret'], audience: ['blue'] }, { reputation: 2 }],
      want: [
        { kind: 'created', audience: ['blue'], reputation: -3 },
        { kind: 'created', audience: ['public'], reputation: 2, tags: [] },
      ],
    },
    {
      name: 'that marks what is well known tells every audience, with its floor, and nothing that it said',
      given: [{ audience: ['blue'] }, { kind: 'well_known', reputation: null, tags: ['mark'] }],
      want: [
        { kind: 'created', audience: ['blue'] },
        ...[
          { kind: 'created', audience: ['public'], tags: ['mark'] } as const,
          { kind: 'marked', audience: ['public'], mark: 'well_known' } as const,
          { kind: 'scored', audience: ['blue'], previousReputation: -3, reputation: 0, tags: [] } as const,
          { kind: 'marked', audience: ['blue'], mark: 'well_known', tags: [] } as const,
        ],
      ],
    },
    {
      name: 'that lies under a mark tells every audience once',
      given: [{}, { kind: 'covered' }, { kind: 'covered' }],
      want: [
        { kind: 'created', audience: ['public'] },
        { kind: 'scored', previousReputation: -3, reputation: 0, audience: ['public'], sourceKind: 'user' },
        { kind: 'marked', mark: 'covered', audience: ['public'] },
      ],
    },
  ]
  /** Of one record, audiences come in the order of their ids, which is none that a reader knows. */
  const sorted = (changes: readonly Partial<Change>[]) =>
    changes.toSorted((a, b) => `${a.audience}`.localeCompare(`${b.audience}`))
  for (const { name, given, want } of cases)
    test(name, () => {
      const changes = changesAfter(...given)
      const mixed = new Set(want.map(({ audience }) => String(audience))).size > 1
      expect(mixed ? sorted(changes) : changes).toMatchObject(mixed ? sorted(want) : want)
      expect(changes.length).toBe(want.length)
    })
})

const anyLog = fc.array(
  fc.record({
    value: fc.constantFrom('8.8.8.8', '9.9.9.9'),
    source: fc.constantFrom('s1', 's2', 's3'),
    audience: fc.constantFrom<string[][]>(['public'], ['blue'], ['blue', 'red']),
    reputation: fc.constantFrom(-3, -1, 0, 3, null),
    kind: fc.constantFrom<Observation['kind']>('report', 'report', 'report', 'well_known', 'covered'),
    observedAt: fc.integer({ min: 0, max: 40 }).map((days) => NOW + days * DAY),
    links: fc.constantFrom<Link[][]>([], [link]),
  }),
  { maxLength: 30 },
)

describe('for any log', () => {
  test('the changes of an audience, one after another, end with what its rows show', () => {
    fc.assert(
      fc.property(anyLog, (given) => {
        const log = positioned(given)
        const { states } = applyBatch(new Map(), log, rules)
        const shown = new Map<string, unknown>()
        for (const c of replayedChanges(log, rules)) {
          const key = `${c.entityId} ${audienceId(c.audience)}`
          const known = shown.get(key) as { reputation: number; marks: string[] } | undefined
          expect(known === undefined).toBe(c.kind === 'created')
          if (c.kind === 'scored') expect(c.previousReputation).toBe(known?.reputation)
          const marks = [...(known?.marks ?? []), ...(c.mark === null ? [] : [c.mark])].sort()
          shown.set(key, { reputation: c.reputation, accuracy: c.accuracy, marks })
        }
        const rows = [...states.values()].flat().map((row) => {
          const marks = [row.covered && 'covered', row.wellKnown && 'well_known'].filter(Boolean)
          return [
            `${row.entityId} ${row.audience}`,
            { reputation: row.reputation, accuracy: row.accuracy, marks },
          ] as const
        })
        expect(shown).toEqual(new Map(rows))
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
        expect([...first.changes, ...second.changes].map((told) => changeOf(told, groups))).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })
})

test('groups are needed of the audiences alone that a record is not of, and their lack is an error', () => {
  const [mark] = positioned([{ kind: 'well_known' }])
  const row = (audience: string[], wellKnown: boolean) =>
    ({ audience: audienceId(audience), wellKnown, reputation: 0, accuracy: 0 }) as EntityState
  const before = [row(['public'], true), row(['blue'], false)]
  const changes = changesOf(before, { rows: [row(['public'], true), row(['blue'], true)], kept: null }, mark!)
  expect(audiencesOf(changes)).toEqual(new Set([audienceId(['blue'])]))
  expect(changes).toHaveLength(1)
  expect(() => changeOf(changes[0]!, new Map())).toThrow(/^the groups of the audience \d+ are not stored$/)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../../../pipelines/processors/intelligence/changes.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { Link, Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../../../schemas/intelligence/state/entity-view.ts'
import { viewChange } from '../../../../../schemas/intelligence/state/view-change.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { DAY, HOUR, NOW } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const link: Link = { mode: 'association', entityId: entityId('domain', 'example.com'), relationship: null }

const reader = (groups: readonly string[]) => (audience: readonly string[]) => audience.some((g) => groups.includes(g))

/** What a reader of these groups is told, log record by log record. */
const told = (groups: string[], ...all: Partial<Observation>[]) =>
  replayedChanges(positioned(all), rules).map((change) => viewChange(change, reader(groups)))

const CASES: { name: string; groups?: string[]; given: Partial<Observation>[]; want: unknown[] }[] = [
  {
    name: 'a new entity is created, and its score and tags are no changes beside that',
    given: [{ tags: ['t'], attributes: { country: 'France' } }],
    want: [{ kinds: ['created'], reason: 'reported', before: null, after: { tags: ['t'], reputation: -3 } }],
  },
  {
    name: 'one step may be of several kinds',
    given: [{}, { reputation: 1, tags: ['t'], links: [link] }],
    want: [
      {},
      { kinds: ['scored', 'updated', 'linked'], before: { reputation: -3 }, links: [link], linksAlone: false },
    ],
  },
  {
    name: 'links of a repeat are told alone, and beside a sighting after a while',
    given: [{}, { links: [link], observedAt: NOW + 1 }, { links: [link], observedAt: NOW + HOUR }],
    want: [
      {},
      { kinds: ['linked'], links: [link], linksAlone: true, after: { lastSeen: NOW + 1 } },
      { kinds: ['linked'], links: [link], linksAlone: false, after: { lastSeen: NOW + HOUR } },
    ],
  },
  {
    name: 'links of a repeat are told alone to a reader of several rows, and to nobody who may not read the repeat',
    groups: ['public', 'blue'],
    given: [{}, { audience: ['blue'] }, { links: [link] }, { audience: ['blue', 'red'] }, { links: [link] }],
    want: [
      {},
      {},
      { kinds: ['linked'], links: [link], linksAlone: true },
      {},
      { kinds: ['linked'], links: [link], linksAlone: true },
    ],
  },
  {
    name: 'a new tag or attribute alone is told, and a known one is not',
    given: [{}, { tags: ['t'] }, { attributes: { os: 'linux' } }, { attributes: { os: 'linux' }, tags: ['t'] }],
    want: [{}, { kinds: ['updated'] }, { kinds: ['updated'] }],
  },
  {
    name: 'an entity that is seen again after an hour changes in no kind',
    given: [{}, { observedAt: NOW + HOUR }],
    want: [{}, { kinds: [], before: { lastSeen: NOW }, after: { lastSeen: NOW + HOUR } }],
  },
  {
    name: 'a mark on an unknown entity is one event',
    given: [{ kind: 'well_known', reputation: null }],
    want: [{ kinds: ['created', 'marked'], reason: 'marked', after: { wellKnown: true } }],
  },
  {
    name: 'a covering mark is told with the floor',
    given: [{}, { kind: 'covered' }],
    want: [{}, { kinds: ['scored', 'marked'], reason: 'marked', after: { covered: true, reputation: 0 } }],
  },
  {
    name: 'what is told of a repeat does not depend on reports to others',
    given: [{}, { audience: ['blue'] }, { observedAt: NOW + 1 }, { observedAt: NOW + HOUR }],
    groups: ['public'],
    want: [{ kinds: ['created'] }, null, null, { kinds: [], after: { lastSeen: NOW + HOUR } }],
  },
  {
    name: 'links of a record that the reader may not read are not told',
    given: [{ audience: ['blue'] }, { kind: 'well_known', reputation: null, audience: ['blue'], links: [link] }],
    groups: ['public'],
    want: [null, null],
  },
  {
    name: 'what is reported to others is told to nobody else',
    groups: ['public'],
    given: [{}, { audience: ['blue'], reputation: 3, tags: ['secret'] }, { audience: ['blue'], source: 's2' }],
    want: [{}, null, null],
  },
  {
    name: 'a reader of both is told how the fold changes',
    groups: ['public', 'blue'],
    given: [{}, { audience: ['blue'], source: 's2', tags: ['t'] }],
    want: [{}, { kinds: ['scored', 'updated'], before: { accuracy: 1 }, after: { accuracy: 2, tags: ['t'] } }],
  },
  {
    name: 'an attribute of one audience that a later one of another outdoes is no kind of change',
    groups: ['public', 'blue'],
    given: [
      { attributes: { os: 'linux' }, observedAt: NOW + DAY },
      { audience: ['blue'], attributes: { os: 'plan9' }, observedAt: NOW },
    ],
    want: [{}, { kinds: [], after: { tags: [] } }],
  },
]
for (const { name, groups = ['public'], given, want } of CASES)
  test(name, () => {
    const found = told(groups, ...given)
    expect(found).toHaveLength(want.length)
    for (const [i, one] of want.entries())
      if (one === null) expect(found[i]).toBeNull()
      else expect(found[i]).toMatchObject(one as object)
  })

test('claims that a change does not carry are asked for only by a reader of several rows', () => {
  const many = Array.from({ length: 300 }, (_, i) => ({ source: `s${i}` }))
  const all = [...many, { audience: ['blue'] }, { reputation: 3 }]
  expect(told(['public', 'blue'], ...all).slice(-2)).toEqual(['wide', 'wide'])
  expect(told(['blue'], ...all).at(-2)).toMatchObject({ kinds: ['created'] })
})

const anyLog = fc.array(
  fc.record({
    source: fc.constantFrom('s1', 's2', 's3'),
    audience: fc.constantFrom<string[][]>(['public'], ['blue'], ['blue', 'red'], ['red']),
    reputation: fc.constantFrom(-3, -1, 0, 3, null),
    tags: fc.constantFrom<string[][]>([], ['t'], ['u']),
    attributes: fc.constantFrom<Record<string, string>>({}, { country: 'France' }, { country: 'Spain', os: 'linux' }),
    kind: fc.constantFrom<Observation['kind']>('report', 'report', 'report', 'well_known', 'covered'),
    observedAt: fc.integer({ min: 0, max: 40 }).map((days) => NOW + days * DAY),
    links: fc.constantFrom<Link[][]>([], [link]),
  }),
  { maxLength: 20 },
)

/** What of a view is compared; the order of its parts does not matter. */
const compared = ({
  entityId,
  reputation,
  accuracy,
  wellKnown,
  covered,
  tags,
  country,
  asn,
  ...v
}: ReturnType<typeof fold>) => ({
  entityId,
  reputation,
  accuracy,
  wellKnown,
  covered,
  tags,
  country,
  asn,
  firstSeen: v.firstSeen,
  lastSeen: v.lastSeen,
})

test('for any log and reader, what is told is how the fold of the rows of this reader changes', () => {
  fc.assert(
    fc.property(anyLog, fc.subarray(['public', 'blue', 'red', 'green'], { minLength: 1 }), (given, groups) => {
      const reads = reader(groups)
      const audiences = new Map<bigint, readonly string[]>()
      let rows: readonly EntityState[] = []
      const viewOf = () => {
        const readable = rows.filter(({ audience }) => reads(audiences.get(audience)!))
        return readable.length === 0 ? null : fold(readable)
      }
      for (const record of positioned(given)) {
        const before = viewOf()
        const applied = applyBatch(new Map([[record.observation.entityId, rows]]), [record], rules)
        for (const [id, those] of applied.audiences) audiences.set(id, those)
        rows = applied.states.get(record.observation.entityId) ?? rows
        const after = viewOf()
        const [change] = applied.changes.map((one) => viewChange(withGroups(one, audiences), reads))
        if (change === 'wide') throw new Error('so few claims are carried')
        const withoutLinks = applied.changes.map((one) =>
          viewChange({ ...withGroups(one, audiences), links: [] }, reads),
        )[0]
        expect(withoutLinks ?? null).toEqual(
          !change || change.linksAlone
            ? null
            : { ...change, links: [], kinds: change.kinds.filter((kind) => kind !== 'linked') },
        )
        expect(change?.links ?? []).toEqual(reads(record.observation.audience) ? record.observation.links : [])
        if (change === undefined || change === null) {
          // Within an hour, being seen again is not told.
          if (after !== null) expect({ ...compared(after), lastSeen: 0 }).toEqual({ ...compared(before!), lastSeen: 0 })
          continue
        }
        expect(change.before === null ? null : compared(change.before as never)).toEqual(before && compared(before))
        expect(compared(change.after as never)).toEqual(compared(after!))
        expect(change.kinds.includes('updated')).toBe(
          before !== null &&
            JSON.stringify([before.tags, sorted(before.attributes)]) !==
              JSON.stringify([after!.tags, sorted(after!.attributes)]),
        )
      }
    }),
    { numRuns: 500 },
  )
})

const sorted = (attributes: Readonly<Record<string, string>>) => Object.entries(attributes).sort()

import { expect, test } from 'vitest'
import { type AlertStep, lookAt } from '../../../../../pipelines/processors/casework/look-at.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN, readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { type GivenItem, watchedOf } from '../../../../builders/accounts/casework/watched.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { HOUR, NOW } from '../../../../builders/intelligence/observation.ts'
import { changesUnder, rescored } from '../../../../builders/intelligence/replay/replay-rules.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const LOGGED = NOW + 1_000

/** What changes, logged a second apart, are to items: `<does> <item> <value> <reputation>` for each step. */
function stepsOf(items: readonly GivenItem[], changes: readonly Change[], time = (n: number) => LOGGED + n * 1_000) {
  const watched = watchedOf(items)
  const steps: AlertStep[] = []
  for (const [n, change] of changes.entries()) {
    const one = { change, time: time(n) }
    const wide = () => expect.unreachable('no change here is wide')
    lookAt(one, watched, BUILT_IN, (step) => steps.push(step), wide)
  }
  return steps
}
const said = ({ does, item, view }: AlertStep): string => `${does} ${item.id} ${view.value} ${view.reputation}`

const replayed = (...all: Partial<Observation>[]) => replayedChanges(positioned(all), rules)
const verdict = (reputation: number | null): Partial<Observation> => ({
  kind: 'verdict',
  audience: ['blue'],
  reputation,
  verdict: { reason: 'r', until: 0 },
})
const takenBack = (given: Partial<Observation> = {}): Partial<Observation> => ({
  kind: 'retraction',
  reputation: null,
  retracted: { from: 0, to: NOW * 2, held: null, described: null },
  ...given,
})
const mark: Partial<Observation> = { kind: 'well_known', reputation: null }
const IP = { kind: 'value', value: '8.8.8.8' }

const cases: { name: string; items: GivenItem[]; given: Partial<Observation>[]; want: string[] }[] = [
  {
    name: 'an item fires once, as the entity enters, and not while it stays',
    items: [{ watch: IP }],
    given: [{}, { reputation: -1 }, { tags: ['t'] }, { observedAt: NOW + HOUR }],
    want: ['fire 0 8.8.8.8 -3'],
  },
  {
    name: 'each kind fires for what it names, and for nothing else',
    items: [
      { watch: { kind: 'entity', value: entityId('domain', 'a.example.com') } },
      { watch: { kind: 'value', value: 'A.EXAMPLE.com' } },
      { watch: { kind: 'tag', value: 'APT' } },
      { watch: { kind: 'type', value: 'domain' } },
      { watch: { kind: 'suffix', value: 'example.com' } },
      { watch: { kind: 'suffix', value: 'ample.com' } },
      { watch: { kind: 'cidr', value: '8.8.8.0/24' } },
      { watch: { kind: 'selector', value: { types: ['domain'], tags: { any: ['apt'] } } } },
      { watch: { kind: 'value', value: 'a.example.com', type: 'hostname' } },
    ],
    given: [{ type: 'domain', value: 'a.example.com', tags: ['apt'] }, {}],
    want: [...[0, 1, 3, 4, 2, 7].map((n) => `fire ${n} a.example.com -3`), 'fire 6 8.8.8.8 -3'],
  },
  {
    name: 'coming down to the bound of reputation is entering, and rising over it leaves without a withdrawal',
    items: [{ watch: { ...IP, max_reputation: -2 } }],
    given: [{ reputation: 1 }, { reputation: -3 }, { reputation: 2 }, { reputation: -3 }],
    want: ['fire 0 8.8.8.8 -3', 'fire 0 8.8.8.8 -3'],
  },
  {
    name: 'a tag that comes later is entering, for each item that names it',
    items: [{ watch: { kind: 'tag', value: 'apt' } }, { watch: { kind: 'tag', value: 'apt', max_reputation: -1 } }],
    given: [{ tags: ['bot'] }, { tags: ['apt'] }],
    want: ['fire 0 8.8.8.8 -3', 'fire 1 8.8.8.8 -3'],
  },
  {
    name: 'a mark takes an entity out of selectors alone, and out of what it makes too good for',
    items: [
      { watch: IP },
      { watch: { kind: 'selector', value: { types: ['ip'] } } },
      { watch: { ...IP, max_reputation: -1 } },
      { watch: { kind: 'selector', value: { types: ['ip'], wellKnown: true } } },
    ],
    given: [{}, mark],
    want: [
      ...['fire 0 8.8.8.8 -3', 'fire 2 8.8.8.8 -3', 'fire 1 8.8.8.8 -3'],
      ...['withdraw 2 8.8.8.8 0', 'withdraw 1 8.8.8.8 0', 'fire 3 8.8.8.8 0'],
    ],
  },
  {
    name: 'what is marked from the start is inside of every kind but a selector',
    items: [{ watch: IP }, { watch: { kind: 'selector', value: {} } }],
    given: [mark],
    want: ['fire 0 8.8.8.8 0'],
  },
  {
    name: 'an entity that is taken back leaves everything, and comes back with a new report',
    items: [{ watch: IP }, { watch: { kind: 'tag', value: 'apt' } }],
    given: [{ tags: ['apt'] }, takenBack(), {}],
    want: [
      'fire 0 8.8.8.8 -3',
      'fire 1 8.8.8.8 -3',
      'withdraw 0 8.8.8.8 0',
      'withdraw 1 8.8.8.8 0',
      'fire 0 8.8.8.8 -3',
    ],
  },
  {
    name: 'a verdict takes out what it calls benign, for those who read it',
    items: [{ watch: { ...IP, max_reputation: -1 }, groups: ['blue'] }, { watch: { ...IP, max_reputation: -1 } }],
    given: [{}, verdict(3), verdict(null)],
    want: ['fire 0 8.8.8.8 -3', 'fire 1 8.8.8.8 -3', 'withdraw 0 8.8.8.8 3', 'fire 0 8.8.8.8 -3'],
  },
  {
    name: 'what others may not read fires nothing of theirs',
    items: [{ watch: IP, groups: ['blue'] }, { watch: IP }, { watch: IP, groups: ['red', 'blue'] }],
    given: [{ audience: ['blue'] }, {}],
    want: ['fire 0 8.8.8.8 -3', 'fire 2 8.8.8.8 -3', 'fire 1 8.8.8.8 -3'],
  },
]
for (const { name, items, given, want } of cases)
  test(name, () => expect(stepsOf(items, replayed(...given)).map(said)).toEqual(want))

const MEDIAN = readRules({ id: 'median', formula: 2 })
/** 0 by the mean, -3 by the median. */
const SPLIT: Partial<Observation>[] = [{ source: 's1' }, { source: 's2' }, { source: 's3', reputation: 3, trust: 1 }]
const bounded: GivenItem = { watch: { ...IP, max_reputation: -1 } }

test('a view that enters because other scoring rules came into force fires, by the first record that tells of them', () => {
  const of = (...later: Partial<Observation>[]) =>
    stepsOf([bounded], changesUnder([SPLIT, BUILT_IN], [later, MEDIAN]).slice(SPLIT.length)).map(said)
  expect(of(rescored(), rescored())).toEqual(['fire 0 8.8.8.8 -3'])
  expect(of({ source: 's1', tags: ['t'] }, rescored())).toEqual(['fire 0 8.8.8.8 -3'])
})

test('a view that leaves because other scoring rules came into force withdraws nothing, and fires as it comes back', () => {
  const [, , last] = SPLIT
  const changes = changesUnder([SPLIT, MEDIAN], [[rescored(), { ...last, reputation: -3 }], BUILT_IN])
  const steps = stepsOf([bounded], changes).map(said)
  // The first report is inside too.
  expect(steps).toEqual(['fire 0 8.8.8.8 -3', 'fire 0 8.8.8.8 -3'])
})

test('what was inside under the rules of before and under the new ones stays, without an alert', () => {
  expect(stepsOf([bounded], changesUnder([[{}], BUILT_IN], [[rescored()], MEDIAN]).slice(1))).toEqual([])
})

test('an item fires for what was logged since it was made, and since its list was enabled', () => {
  const at = LOGGED
  const items: GivenItem[] = [
    { watch: IP, createdAt: at },
    { watch: IP, createdAt: at + 1 },
    { watch: IP, enabledAt: at },
    { watch: IP, enabledAt: at + 1 },
    { watch: IP, enabledAt: null },
  ]
  expect(stepsOf(items, replayed({})).map(said)).toEqual(['fire 0 8.8.8.8 -3', 'fire 2 8.8.8.8 -3'])
  // Of a list that is not enabled, what fired before is withdrawn all the same.
  expect(stepsOf(items, replayed({}, takenBack())).map(said).slice(2)).toHaveLength(5)
})

test('an entity that was not seen for long enough enters a selector again as it is seen', () => {
  const items = [{ watch: { kind: 'selector', value: { seenWithin: '2h' } } }]
  const seen = [{}, { observedAt: NOW + HOUR }, { observedAt: NOW + 4 * HOUR }]
  const steps = stepsOf(items, replayed(...seen), (n) => seen[n]!.observedAt ?? NOW)
  expect(steps.map(({ time }) => time)).toEqual([NOW, NOW + 4 * HOUR])
})

test('an alert is for those who may read one of the rows that it was made of', () => {
  const given = replayed({ audience: ['red'] }, { audience: ['blue', 'red'], tags: ['apt'] }, { tags: ['bot'] })
  const items = ['apt', 'bot'].map((value) => ({ watch: { kind: 'tag', value }, groups: ['blue'] }))
  expect(stepsOf(items, given).map(({ readableBy }) => readableBy)).toEqual([
    ['blue', 'red'],
    ['blue', 'public', 'red'],
  ])
})

test('a wide change is told to each class of readers of several rows, with one of them', () => {
  const watched = watchedOf([{ watch: IP }, { watch: IP, groups: ['blue'] }, { watch: IP, groups: ['red'] }])
  const [, change] = replayed({}, { audience: ['blue'] })
  const told: string[] = []
  const one = { change: { ...change!, wide: true }, time: LOGGED }
  lookAt(
    one,
    watched,
    BUILT_IN,
    () => expect.unreachable('none can be decided'),
    ({ reader }) => told.push(reader.key),
  )
  expect(told).toEqual(['["blue","public"]'])
})

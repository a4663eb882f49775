import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lookAt } from '../../../../../pipelines/processors/casework/look-at.ts'
import { readableGroups } from '../../../../../schemas/accounts/accounts.ts'
import { readWatchItem } from '../../../../../schemas/casework/watch.ts'
import { valueForms } from '../../../../../schemas/intelligence/compare/forms.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { contains, rangeOf } from '../../../../../schemas/intelligence/propagation/range.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { compileSelector } from '../../../../../schemas/intelligence/selectors/compile.ts'
import type { Selector, SelectorView } from '../../../../../schemas/intelligence/selectors/selector.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { viewChange } from '../../../../../schemas/intelligence/state/view-change.ts'
import { type GivenItem, watchedOf } from '../../../../builders/accounts/casework/watched.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { HOUR, NOW } from '../../../../builders/intelligence/observation.ts'
import { selectorBodies, TAGS, TYPES, typedValue } from '../../../../builders/intelligence/selectors/generated.ts'
import { GROUPS } from '../../../../builders/search/oracle/generated/pools.ts'

/* Random items, users, audiences and changes against a model that asks every item of every change, one by one. */

const LOGGED = NOW + 1_000
const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const replayed = (all: readonly Partial<Observation>[]) => replayedChanges(positioned(all), rules)

/** Whether an item takes a view in, asked in another way than by the rules of the product. */
function inside({ kind, value, type, max_reputation: most = 3 }: Record<string, unknown>, view: SelectorView): boolean {
  if (view.retracted || view.reputation > Number(most) || (type !== undefined && view.type !== type)) return false
  const text = String(value)
  switch (kind) {
    case 'entity':
      return view.entityId === text
    case 'value':
      return valueForms(text).has(view.value)
    case 'tag':
      return new Set(view.tags).has(text)
    case 'type':
      return view.type === text
    case 'cidr': {
      const range = rangeOf(view.type, view.value)
      return range !== null && contains(rangeOf('cidr', text)!, range)
    }
    case 'suffix':
      return compileSelector({ value: { suffix: text }, wellKnown: 'any' }).holds(view, LOGGED)
    default:
      return compileSelector(value as Selector).holds(view, LOGGED)
  }
}

const groups = fc.subarray(['blue', 'red', 'green'])
const bound = fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined })
const watched = fc
  .tuple(
    fc.oneof(
      typedValue.map(({ type, value }) => ({ kind: 'entity', value: entityId(type, value) })),
      typedValue.map(({ value }) => ({ kind: 'value', value })),
      typedValue.map(({ type, value }) => ({ kind: 'value', value, type })),
      fc.constantFrom(...TAGS).map((value) => ({ kind: 'tag', value })),
      fc.constantFrom(...TYPES).map((value) => ({ kind: 'type', value })),
      fc
        .constantFrom('198.51.100.0/24', '0.0.0.0/0', '2001:db8::/32', '8.8.8.8/32')
        .map((value) => ({ kind: 'cidr', value })),
      fc.constantFrom('example.com', 'com', 'evil.net').map((value) => ({ kind: 'suffix', value })),
      // The model knows no view between two changes, so it cannot say what left by time alone.
      selectorBodies.map(({ seenWithin: _, ...value }) => ({ kind: 'selector', value })),
    ),
    bound,
    groups,
  )
  .map(([given, most, groups]): GivenItem => {
    const found = readWatchItem({ ...given, ...(most === undefined ? {} : { max_reputation: most }) })
    if (!found.ok) throw new Error(`${found.param} ${found.message}`)
    return { watch: { ...found.item }, groups }
  })
const report = fc.record({
  reputation: fc.option(fc.integer({ min: -3, max: 3 }), { freq: 6 }),
  audience: fc.constantFrom(...GROUPS),
  source: fc.constantFrom('s1', 's2'),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
})
const observed = fc.oneof(
  { weight: 8, arbitrary: report.map((given): Partial<Observation> => given) },
  { weight: 1, arbitrary: fc.constant<Partial<Observation>>({ kind: 'well_known', reputation: null }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(3, -3, null).map((reputation): Partial<Observation> => {
      return { kind: 'verdict', audience: ['blue'], reputation, verdict: { reason: 'r', until: 0 } }
    }),
  },
  {
    weight: 2,
    arbitrary: report.map(({ audience, source }): Partial<Observation> => {
      const retracted = { from: 0, to: NOW * 2, held: null, described: null }
      return { kind: 'retraction', reputation: null, audience, source, retracted }
    }),
  },
)
const history = fc
  .uniqueArray(typedValue, { minLength: 1, maxLength: 3, selector: ({ type, value }) => entityId(type, value) })
  .chain((entities) => fc.array(fc.tuple(fc.constantFrom(...entities), observed), { minLength: 1, maxLength: 25 }))
  .map((all) =>
    all.map(([of, given]): Partial<Observation> => ({ ...of, entityId: entityId(of.type, of.value), ...given })),
  )

const WITHDRAWS = ['retracted', 'marked', 'verdict']

/** Every item asks what its user is shown after each change, and remembers what that was before. */
function modelled(items: readonly GivenItem[], changes: readonly Change[]): string[] {
  return items.flatMap(({ watch, groups = [] }, n) => {
    const known = new Map<string, SelectorView>()
    const own = readableGroups(groups)
    return changes.flatMap((change, at) => {
      const seen = viewChange(change, (audience) => audience.some((group) => own.includes(group)), BUILT_IN)
      if (seen === null || seen === 'wide') return []
      const last = known.get(change.entityId)
      const was = last !== undefined && inside(watch, last)
      const is = inside(watch, seen.after)
      known.set(change.entityId, seen.after)
      if (!was && is) return [`${at} fire ${n}`]
      return was && !is && WITHDRAWS.includes(seen.reason) ? [`${at} withdraw ${n}`] : []
    })
  })
}

/** The same by the rules of the product. */
function found(items: readonly GivenItem[], changes: readonly Change[]): string[] {
  const watched = watchedOf(items)
  const steps: string[] = []
  for (const [at, change] of changes.entries())
    lookAt(
      { change, time: LOGGED },
      watched,
      BUILT_IN,
      ({ does, item }) => steps.push(`${at} ${does} ${item.id}`),
      () => expect.unreachable('no change here is wide'),
    )
  return steps
}

test('any items, users, audiences and changes give what asking every item of every change gives', () => {
  let [fired, withdrawn] = [0, 0]
  fc.assert(
    fc.property(fc.array(watched, { minLength: 10, maxLength: 40 }), history, (items, given) => {
      const changes = replayed(given)
      const steps = found(items, changes)
      const back = steps.filter((step) => step.includes('withdraw')).length
      fired += steps.length - back
      withdrawn += back
      expect(steps.sort()).toEqual(modelled(items, changes).sort())
    }),
    { numRuns: 300 },
  )
  expect(fired).toBeGreaterThan(500)
  expect(withdrawn).toBeGreaterThan(20)
})

import { describe, expect, test } from 'vitest'
import { lookAtMatch } from '../../../../../pipelines/processors/casework/look-at-match.ts'
import { matchItems } from '../../../../../pipelines/processors/casework/match-items.ts'
import { isInside } from '../../../../../schemas/casework/inside.ts'
import { viewOfMatch } from '../../../../../schemas/casework/match-watch.ts'
import type { MatchRecord } from '../../../../../schemas/match/match.ts'
import { matchRecord } from '../../../../builders/accounts/casework/match.ts'
import { type GivenItem, watchedOf } from '../../../../builders/accounts/casework/watched.ts'

const TIME = 1_800_000_000_000

/** What a match does to these items, by their ordinals; each is of a user `u<ordinal>` of the customer `c`. */
function stepsOf(given: readonly GivenItem[], match: MatchRecord, time = TIME) {
  const { matches } = watchedOf(given)
  const steps: [string, string][] = []
  const told: Parameters<Parameters<typeof lookAtMatch>[2]>[0][] = []
  lookAtMatch({ match, partition: 3, offset: 7, time }, matches, (step) => {
    steps.push([step.does, step.item.id])
    told.push(step)
  })
  return { steps, told }
}
const all: GivenItem = { watch: { kind: 'match', value: {} } }
const ours = (given: Parameters<typeof matchRecord>[0] = {}) => matchRecord({ owner: 'customer:c', ...given })

describe('whose items a match fires', () => {
  const items = [all, { ...all, groups: ['blue'] }, { ...all, groups: ['blue', 'red'] }]
  const fired = (match: MatchRecord) => stepsOf(items, match).steps.map(([, id]) => id)

  test.each([
    { name: 'of everybody in the customer that owns it', match: ours(), want: ['0', '1', '2'] },
    { name: 'of nobody elsewhere', match: matchRecord({ owner: 'customer:d' }), want: [] },
    { name: 'of the user that owns it', match: matchRecord({ owner: 'user:u1' }), want: ['1'] },
    { name: 'of those in all of its groups', match: ours({ groups: ['blue', 'public', 'red'] }), want: ['2'] },
    { name: 'of nobody in some of its groups', match: ours({ groups: ['blue', 'green'] }), want: [] },
    { name: 'of those in its group', match: ours({ groups: ['blue'] }), want: ['1', '2'] },
  ])('$name', ({ match, want }) => expect(fired(match)).toEqual(want))

  test('the alert names the groups that its reader must be in, all of them', () => {
    const [step] = stepsOf([{ ...all, groups: ['blue', 'red'] }], ours({ groups: ['blue', 'public', 'red'] })).told
    expect(step).toMatchObject({ needs: ['blue', 'red'], readableBy: ['blue', 'public', 'red'], time: TIME })
    expect(step).toMatchObject({ change: { partition: 3, offset: 7 }, view: { value: 'evil.example', reputation: -3 } })
  })
})

describe('what an item takes', () => {
  const entity = { type: 'ip', value: '203.0.113.7', reputation: -2, accuracy: 2, tags: ['c2'] }
  test.each([
    { value: {}, want: true },
    { value: { types: ['ip'] }, want: true },
    { value: { types: ['domain'] }, want: false },
    { value: { reputation: { lte: -2 } }, want: true },
    { value: { reputation: { lte: -3 } }, want: false },
    { value: { accuracy: { gte: 3 } }, want: false },
    { value: { tags: { any: ['c2', 'x'] } }, want: true },
    { value: { tags: { none: ['c2'] } }, want: false },
    { value: { cidr: ['203.0.113.0/24'] }, want: true },
    { value: { cidr: ['198.51.100.0/24'] }, want: false },
    { value: { value: { in: ['203.0.113.7'] } }, want: true },
    { value: { value: { prefix: '198.' } }, want: false },
  ])('$value: $want', ({ value, want }) => {
    const { steps } = stepsOf([{ watch: { kind: 'match', value } }], ours({ entity }))
    expect(steps).toEqual(want ? [['fire', '0']] : [])
  })

  test('`type` and `max_reputation` narrow it', () => {
    const narrowed = [{ type: 'domain' }, { type: 'ip' }, { max_reputation: -3 }, { max_reputation: -2 }]
    const items = narrowed.map((more) => ({ watch: { kind: 'match', value: {}, ...more } }))
    expect(stepsOf(items, ours({ entity })).steps.map(([, id]) => id)).toEqual(['1', '3'])
  })

  test('no view is inside of one', () => {
    const { watch } = watchedOf([all]).items[0]!
    expect(isInside(watch, viewOfMatch(ours().entity), TIME)).toBe(false)
  })
})

test('a match fires when it is told and when it is restored, and withdraws when it is withdrawn', () => {
  const does = (step: MatchRecord['step']) => stepsOf([all], ours({ step })).steps
  expect(does('told')).toEqual([['fire', '0']])
  expect(does('restored')).toEqual([['fire', '0']])
  expect(does('withdrawn')).toEqual([['withdraw', '0']])
})

test('a match that is told withdraws whatever its entity is worth by then, of what could have fired', () => {
  const items = [
    { watch: { kind: 'match', value: { reputation: { lte: -3 }, tags: { any: ['c2'] } }, max_reputation: -3 } },
    { watch: { kind: 'match', value: { types: ['ip'] } } },
    { watch: { kind: 'match', value: {}, type: 'ip' } },
  ]
  const match = ours({ step: 'withdrawn', entity: { reputation: 0, accuracy: 0, tags: [] } })
  expect(stepsOf(items, match).steps).toEqual([['withdraw', '0']])
})

test('an item fires for nothing of before, and a disabled list for nothing; what they fired is withdrawn', () => {
  const items = [{ ...all, createdAt: TIME + 1 }, { ...all, enabledAt: TIME + 1 }, { ...all, enabledAt: null }, all]
  expect(stepsOf(items, ours()).steps).toEqual([['fire', '3']])
  expect(stepsOf(items, ours({ step: 'withdrawn' })).steps).toHaveLength(4)
})

test('items that are removed are asked no more', () => {
  const items = matchItems()
  const [one, two] = watchedOf([all, all]).items
  items.add(one!)
  items.add(two!)
  items.remove(one!)
  expect([...items.of('customer:c')]).toEqual([two])
  expect([[...items.of('user:u0')], items.size()]).toEqual([[], 1])
  items.remove(two!)
  expect([[...items.of('customer:c')], items.size()]).toEqual([[], 0])
})

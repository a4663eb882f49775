import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundary } from '../../../../../pipelines/processors/feeds-out/boundary.ts'
import { listSteps } from '../../../../../pipelines/processors/feeds-out/list-steps.ts'
import type { FeedStep } from '../../../../../pipelines/processors/feeds-out/step.ts'
import type { FeedItem } from '../../../../../schemas/feeds-out/formats/format.ts'
import type { FeedMember } from '../../../../../schemas/feeds-out/member.ts'
import { inListOrder } from '../../../../../schemas/feeds-out/order.ts'

const item = (entityId: string, reputation = -3, lastSeen = 0): FeedItem => ({
  entityId,
  type: 'ip',
  value: entityId,
  reputation,
  accuracy: 1,
  tags: [],
  firstSeen: 0,
  lastSeen,
})

/** A step from one item to another; null: not selected. */
const step = (before: FeedItem | null, after: FeedItem | null, given: Partial<FeedStep> = {}): FeedStep => ({
  entityId: (after ?? before)!.entityId,
  before,
  after,
  reason: 'reported',
  at: 5,
  leavesAt: null,
  leftAt: null,
  ...given,
})

const EMPTY = { sequence: 0, items: 0, inside: 0 }
const unknown = () => undefined
const told = (deltas: ReturnType<typeof listSteps>['deltas']) =>
  deltas.map(({ sequence, op, item: { entityId }, reason }) => `${sequence} ${op} ${entityId} ${reason}`)

test('each step of what is selected is one delta, and sequences have no gaps', () => {
  const steps = [
    step(null, item('a')),
    step(null, item('b')),
    step(item('a'), item('a', -2)),
    step(item('b'), null, { reason: 'faded' }),
  ]
  const list = listSteps({ sequence: 7, items: 0, inside: 0 }, steps, { cap: null, known: unknown, edge: null })
  expect(told(list.deltas)).toEqual([
    '8 add a reported',
    '9 add b reported',
    '10 update a reported',
    '11 remove b faded',
  ])
  expect(list).toMatchObject({ sequence: 11, items: 1, inside: 1 })
  expect([...list.members.values()].map(({ state }) => state)).toEqual(['listed', 'gone'])
})

test('being seen again is stored and not told', () => {
  const list = listSteps({ sequence: 1, items: 1, inside: 1 }, [step(item('a'), item('a', -3, 9), { leavesAt: 20 })], {
    cap: null,
    known: unknown,
    edge: null,
  })
  expect(list.deltas).toEqual([])
  expect(list.members.get('a')).toMatchObject({ leavesAt: 20, item: { lastSeen: 9 } })
})

test('a removal says what was shown last', () => {
  const list = listSteps({ sequence: 1, items: 1, inside: 1 }, [step(item('a', -2), null)], {
    cap: null,
    known: unknown,
    edge: null,
  })
  expect(list.deltas).toMatchObject([{ op: 'remove', item: { reputation: -2 } }])
})

test('what had left by time is told before it comes back, unless that was told', () => {
  const back = step(item('a'), item('a', -3, 9), { leftAt: 3 })
  const member: FeedMember = { item: item('a'), state: 'listed', leavesAt: 3, reason: 'reported', at: 1 }
  const rules = { cap: null, edge: null }
  const late = listSteps({ sequence: 1, items: 1, inside: 1 }, [back], { ...rules, known: () => member })
  expect(told(late.deltas)).toEqual(['2 remove a aged', '3 add a reported'])
  expect(late.deltas[0]!.at).toBe(3)
  const gone = listSteps({ sequence: 2, items: 0, inside: 0 }, [back], {
    ...rules,
    known: () => ({ ...member, state: 'gone' }),
  })
  expect(told(gone.deltas)).toEqual(['3 add a reported'])
})

/** Random steps of few entities: each begins where the last one of its entity ended. */
const anySteps = fc
  .array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      reputation: fc.constantFrom(-3, -2, -1, null),
      lastSeen: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 40 },
  )
  .map((all) => {
    const now = new Map<string, FeedItem>()
    return all.flatMap(({ id, reputation, lastSeen }) => {
      const before = now.get(id) ?? null
      const after = reputation === null ? null : item(id, reputation, lastSeen)
      if (before === null && after === null) return []
      if (after === null) now.delete(id)
      else now.set(id, after)
      return [step(before, after)]
    })
  })

test('however steps are cut into batches, a list with a cap is the first items of what is selected, step by step', () => {
  fc.assert(
    fc.property(anySteps, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 }), (steps, cap, size) => {
      const stored = new Map<string, FeedMember>()
      const replica = new Map<string, FeedItem>()
      const selected = new Map<string, FeedItem>()
      let list = EMPTY
      for (let i = 0; i < steps.length; i += size) {
        const some = steps.slice(i, i + size)
        const near = (state: string, worst: boolean) =>
          [...stored.values()]
            .filter((member) => member.state === state)
            .sort((a, b) => inListOrder(a.item, b.item) * (worst ? -1 : 1))
            .slice(0, 2 * some.length + 2)
        const edge = list.inside + some.length > cap ? boundary(near('listed', true), near('left', false)) : null
        const next = listSteps(list, some, { cap, known: (id) => stored.get(id), edge })
        expect(next.deltas.map(({ sequence }) => sequence)).toEqual(next.deltas.map((_, n) => list.sequence + 1 + n))
        for (const { op, item: shown } of next.deltas) {
          expect(replica.has(shown.entityId)).toBe(op !== 'add')
          if (op === 'remove') replica.delete(shown.entityId)
          else replica.set(shown.entityId, shown)
        }
        for (const [id, member] of next.members) stored.set(id, member)
        for (const { entityId, after } of some)
          if (after === null) selected.delete(entityId)
          else selected.set(entityId, after)
        const first = [...selected.values()].sort(inListOrder).slice(0, cap)
        expect([...replica.keys()].sort()).toEqual(first.map(({ entityId }) => entityId).sort())
        for (const { entityId, reputation } of first) expect(replica.get(entityId)!.reputation).toBe(reputation)
        const listed = [...stored.values()].filter(({ state }) => state === 'listed')
        expect(new Map(listed.map(({ item: shown }) => [shown.entityId, shown]))).toEqual(
          new Map(first.map((shown) => [shown.entityId, shown])),
        )
        expect(next.items).toBe(first.length)
        expect(next.inside).toBe(selected.size)
        list = next
      }
    }),
    { numRuns: 1_000 },
  )
})

import { describe, expect, test } from 'vitest'
import { decideEach } from '../../../../../../console/src/pages/triage/handling/decide-each.ts'
import { COLUMNS, cellsOf, exportRows } from '../../../../../../console/src/pages/triage/handling/export.ts'
import { allOrNone, chosen, NOTHING } from '../../../../../../console/src/pages/triage/handling/selection.ts'
import {
  belongs,
  countText,
  stateTexts,
  type TriageState,
} from '../../../../../../console/src/pages/triage/handling/states.ts'
import { triageItem } from '../../../../../builders/console/triage-item.ts'

const AT = '2026-11-22T02:00:00.000Z'
const ana = { userID: 'u-ana', name: 'Ana' }
const state = (given: Partial<TriageState> = {}): TriageState => ({
  entityID: 'a',
  handled: null,
  assignee: null,
  note: '',
  updatedAt: AT,
  ...given,
})
const handled = (reputation: number) => state({ handled: { at: AT, by: ana, reputation } })
const item = triageItem('a', { reputation: -2 })

describe('an entity belongs', () => {
  test.each([
    [undefined, ['open', 'all']],
    [handled(-2), ['handled', 'all']],
    [handled(-1), ['open', 'all']],
    [state({ assignee: ana }), ['open', 'mine', 'all']],
    [state({ assignee: { userID: 'other', name: null } }), ['open', 'all']],
  ])('with %o to %o', (given, want) =>
    expect((['open', 'mine', 'handled', 'all'] as const).filter((work) => belongs(item, given, work, 'u-ana'))).toEqual(
      want,
    ),
  )
})

test('the count says what is open, what is one’s own and what is handled', () => {
  const items = ['a', 'b', 'c'].map((id) => triageItem(id))
  const states = new Map([
    ['a', handled(-3)],
    ['b', state({ assignee: ana })],
  ])
  expect(countText(items, states, 'u-ana')).toBe('2 open, 1 assigned to you, 1 handled')
})

test('a row says who did what, and that the score got worse since, with the old and the new one', () => {
  const { handled: done } = handled(-2)
  expect(stateTexts(item, state({ handled: done, assignee: ana, note: 'x' }), 'me')).toEqual([
    'handled by Ana',
    'assigned to Ana',
    'note: x',
  ])
  expect(stateTexts(item, handled(0), 'u-ana')).toEqual(['worse since you handled it: Indefinable 0 → Bad −2'])
  expect(stateTexts(item, state({ assignee: { userID: 'x', name: null } }), 'me')).toEqual([
    'assigned to a member without a name',
  ])
  expect(stateTexts(item, undefined, 'me')).toEqual([])
})

describe('the selection', () => {
  const listed = ['a', 'b', 'c', 'd']
  const ids = (of: { ids: ReadonlySet<string> }) => [...of.ids].sort()

  test('a row turns by itself, and with shift all from the last one become the same', () => {
    const one = chosen(NOTHING, listed, 'b', false)
    expect(ids(one)).toEqual(['b'])
    expect(ids(chosen(one, listed, 'd', true))).toEqual(['b', 'c', 'd'])
    expect(ids(chosen(one, listed, 'a', true))).toEqual(['a', 'b'])
    expect(ids(chosen(chosen(one, listed, 'd', true), listed, 'c', false))).toEqual(['b', 'd'])
    expect(ids(chosen(NOTHING, listed, 'c', true))).toEqual(['c'])
    expect(ids(chosen({ ...one, anchor: 'gone' }, listed, 'c', true))).toEqual(['b', 'c'])
  })

  test('all are selected, unless they are already', () => {
    expect(ids(allOrNone(chosen(NOTHING, listed, 'b', false), listed))).toEqual(listed)
    expect(ids(allOrNone({ ids: new Set(listed), anchor: 'a' }, listed))).toEqual([])
  })
})

describe('verdicts on several', () => {
  const ids = Array.from({ length: 9 }, (_, n) => `e${n}`)
  const reason = (error: unknown) => (error as Error).message

  test('go on when one is refused, a few at a time, and say how far they are', async () => {
    let [running, most] = [0, 0]
    const told: number[] = []
    const give = async (id: string) => {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
      if (id === 'e3') throw new Error('no such entity')
    }
    const end = await decideEach(ids, give, reason, new AbortController().signal, ({ done }) => told.push(done))
    expect(end).toEqual({ done: 9, of: 9, faults: [{ id: 'e3', reason: 'no such entity' }] })
    expect([most, told]).toEqual([4, [1, 2, 3, 4, 5, 6, 7, 8, 9]])
  })

  test('end with what is under way once they are stopped', async () => {
    const stop = new AbortController()
    const { done } = await decideEach(
      ids,
      async () => stop.abort(),
      reason,
      stop.signal,
      () => undefined,
    )
    expect(done).toBeLessThan(ids.length)
  })
})

test('a file has what is listed, what moved and what was noted', () => {
  const rows = exportRows(
    [item, triageItem('b')],
    new Map([['a', state({ handled: { at: AT, by: ana, reputation: -2 }, note: 'Blocked.' })]]),
    new Map([['a', -1]]),
  )
  expect(rows[0]).toMatchObject({ previous_reputation: -1, handled_by: 'Ana', handled_at: AT, note: 'Blocked.' })
  expect(cellsOf(rows[1]!)).toHaveLength(COLUMNS.length)
  expect(cellsOf(rows[1]!).slice(-4)).toEqual(['', '', '', ''])
})

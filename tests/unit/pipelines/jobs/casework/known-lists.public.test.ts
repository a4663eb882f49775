/** Watchlists that a destination for what is public wants: they fire once more, by what everybody reads (ADR 280). */

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WatchedList, WatchedLists } from '../../../../../connectors/postgres/casework/alerts/port.ts'
import { type KnownLists, knownLists } from '../../../../../pipelines/jobs/casework/known-lists.ts'
import { alertFold } from '../../../../../pipelines/processors/casework/alert-fold.ts'
import { lookAt } from '../../../../../pipelines/processors/casework/look-at.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { HOUR, NOW } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }

const watchlist = (given: Partial<WatchedList> = {}): WatchedList => ({
  id: randomUUID(),
  owner: { customerId: randomUUID(), userId: randomUUID() },
  groups: ['blue', 'public'],
  enabledAt: 0,
  publicly: true,
  items: [{ id: 'item', content: { kind: 'value', value: '8.8.8.8', max_reputation: -1 }, createdAt: 0 }],
  ...given,
})

/** A store whose lists a test changes; each reading is told that all of them moved. */
function stored(lists: WatchedList[]): WatchedLists {
  let moves = 0
  return {
    latest: async () => moves,
    movesAfter: async () => ({ to: ++moves, lists: lists.map(({ id }) => id), users: [], more: false }),
    ids: async (of) => ('users' in of || of.after !== null ? [] : lists.map(({ id }) => id)),
    read: async (ids) => lists.filter(({ id }) => ids.includes(id)),
    earliest: async () => null,
    forgetMoves: async () => 0,
  }
}

/** What the changes of these reports are to the lists: `<public or own> <count> <reputation>[ withdrawn]`. */
function firedBy(known: KnownLists, reports: readonly Partial<Observation>[]): string[] {
  const fold = alertFold()
  for (const change of replayedChanges(positioned(reports), rules))
    lookAt({ change, time: NOW }, known, BUILT_IN, fold.add, () => expect.unreachable('no change here is wide'))
  return fold
    .take()
    .fired.map(({ publicly, count, reputation, withdrawn }) =>
      [publicly ? 'public' : 'own', count, reputation, ...(withdrawn ? ['withdrawn'] : [])].join(' '),
    )
}

const secret = (reputation: number): Partial<Observation> => ({ audience: ['blue'], source: 'blue', reputation })
const open = (reputation: number): Partial<Observation> => ({ audience: ['public'], source: 'open', reputation })

const cases: { name: string; given: Partial<Observation>[]; want: string[] }[] = [
  { name: 'what only its user reads fires for it alone', given: [secret(-3)], want: ['own 1 -3'] },
  { name: 'what everybody reads fires for both', given: [open(-3)], want: ['own 1 -3', 'public 1 -3'] },
  {
    name: 'what becomes public later fires then, with what everybody reads of it',
    given: [secret(-3), open(-2)],
    want: ['own 1 -3', 'public 1 -2'],
  },
  {
    name: 'a report that everybody reads and its user reads another one against fires for everybody',
    given: [secret(3), secret(3), open(-2)],
    want: ['public 1 -2'],
  },
]
for (const { name, given, want } of cases)
  test(name, async () => {
    const known = knownLists(stored([watchlist()]))
    await known.refresh()
    expect(firedBy(known, given)).toEqual(want)
  })

test('a list fires for everybody as long as a destination wants that', async () => {
  const list = watchlist({ publicly: false })
  const lists = [list]
  const known = knownLists(stored(lists))
  await known.refresh()
  expect(firedBy(known, [open(-3)])).toEqual(['own 1 -3'])
  lists[0] = { ...list, publicly: true }
  await known.refresh()
  expect(firedBy(known, [open(-3)])).toEqual(['own 1 -3', 'public 1 -3'])
  expect(known.size()).toBe(2)
  lists[0] = { ...list, publicly: true, items: [] }
  await known.refresh()
  expect(known.size()).toBe(0)
  lists[0] = list
  await known.refresh()
  expect([known.size(), known.readers.size()]).toEqual([1, 1])
})

test('whatever is reported to others, what is told of what is public is the same', async () => {
  const report = fc.record({ hidden: fc.boolean(), reputation: fc.integer({ min: -3, max: 3 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 12 }), async (all) => {
      const known = knownLists(stored([watchlist()]))
      await known.refresh()
      const given = all.map(({ hidden, reputation }) => (hidden ? secret(reputation) : open(reputation)))
      const told = (reports: readonly Partial<Observation>[]) =>
        firedBy(known, reports).filter((one) => one.startsWith('public'))
      expect(told(given)).toEqual(told(given.filter((_, n) => !all[n]!.hidden)))
    }),
    { numRuns: 100 },
  )
})

import { expect, test } from 'vitest'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import {
  type ViewChange,
  viewChange,
  wideChange,
  withoutRescoring,
} from '../../../../../schemas/intelligence/state/view-change.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'
import { changesUnder, rescored } from '../../../../builders/intelligence/replay/replay-rules.ts'

const reader = (groups: readonly string[]) => (audience: readonly string[]) => audience.some((g) => groups.includes(g))

const MEAN = readRules({ id: 'mean' })
const MEDIAN = readRules({ id: 'median', formula: 2 })
/** 0 by the mean, -3 by the median. */
const SPLIT: Partial<Observation>[] = [{ source: 's1' }, { source: 's2' }, { source: 's3', reputation: 3, trust: 1 }]
const BLUE: Partial<Observation> = { source: 's4', audience: ['blue'], reputation: 3, trust: 1 }

type Case = {
  name: string
  groups?: string[]
  before?: Partial<Observation>[]
  after: Partial<Observation>[]
  want: unknown[]
}

const CASES: Case[] = [
  {
    name: 'other rules change the score of a view, which is told once',
    after: [rescored(), rescored()],
    want: [{ kinds: ['scored'], reason: 'rescored', before: { reputation: 0 }, after: { reputation: -3 } }],
  },
  {
    name: 'a report that comes first tells what the rules did',
    after: [{ source: 's1', tags: ['t'] }, rescored()],
    want: [{ kinds: ['scored', 'updated'], reason: 'rescored', before: { reputation: 0 }, after: { tags: ['t'] } }],
  },
  {
    name: 'what is marked, decided and taken back keeps its reason',
    before: [{}],
    after: [{ kind: 'well_known', reputation: null }],
    want: [{ kinds: ['scored', 'marked'], reason: 'marked', before: { reputation: -3 }, after: { reputation: 0 } }],
  },
  {
    name: 'a retraction keeps its reason',
    after: [
      {
        kind: 'retraction',
        source: 's1',
        reputation: null,
        retracted: { from: 0, to: NOW * 2, held: null, described: null },
      },
    ],
    want: [{ kinds: ['scored'], reason: 'retracted', before: { reputation: 0 } }],
  },
  {
    name: 'a report after it is told under the new rules alone',
    after: [rescored(), { source: 's5', reputation: 3 }],
    want: [{ reason: 'rescored' }, { reason: 'reported', before: { reputation: -3 }, after: { reputation: 3 } }],
  },
  {
    name: 'a reader of several rows is told of their fold',
    groups: ['public', 'blue'],
    before: [...SPLIT, BLUE],
    after: [rescored()],
    want: [{ kinds: ['scored'], reason: 'rescored', before: { reputation: 1 }, after: { reputation: 3 } }],
  },
  {
    name: 'a reader of a row that shows the same is told nothing, whatever others are told',
    groups: ['blue'],
    before: [...SPLIT, BLUE],
    after: [rescored()],
    want: [null],
  },
  {
    name: 'a reader of one row is told at its own first record, and a reader of both at the first of any',
    groups: ['public'],
    before: [...SPLIT, BLUE],
    after: [{ ...BLUE, reputation: 2 }, rescored()],
    want: [null, { reason: 'rescored', before: { reputation: 0 }, after: { reputation: -3 } }],
  },
  {
    name: 'a reader of both is told once',
    groups: ['public', 'blue'],
    before: [...SPLIT, BLUE],
    after: [{ ...BLUE, reputation: 2 }, rescored()],
    want: [{ reason: 'rescored', before: { reputation: 1 } }, null],
  },
]
for (const { name, groups = ['public'], before = SPLIT, after, want } of CASES)
  test(name, () => {
    const changes = changesUnder([before, MEAN], [after, MEDIAN]).slice(before.length)
    const found = changes.map((change) => viewChange(change, reader(groups)))
    expect(found).toHaveLength(want.length)
    for (const [i, one] of want.entries())
      if (one === null) expect(found[i]).toBeNull()
      else expect(found[i]).toMatchObject(one as object)
  })

test('who learns of other rules otherwise is shown the change without what they did', () => {
  const changes = changesUnder([SPLIT, MEAN], [[{ source: 's1', tags: ['t'] }], MEDIAN])
  const seen = viewChange(withoutRescoring(changes.at(-1)!), reader(['public']))
  expect(seen).toMatchObject({ kinds: ['updated'], reason: 'reported', before: { reputation: -3 } })
  const known = changes[0]!
  expect(withoutRescoring(known)).toBe(known)
})

test('a wide change tells other rules by the view that was remembered, or by its rows', () => {
  const groups = ['public', 'blue']
  const change = {
    ...changesUnder([[...SPLIT, BLUE], MEAN], [[rescored()], MEDIAN]).at(-1)!,
    wide: true,
    foldedBy: null,
  }
  expect(viewChange(change, reader(groups))).toBe('wide')
  const after = { ...(viewChange(change, reader(['public'])) as ViewChange).after, reputation: -1 }
  const known = wideChange(change, reader(groups), { ...after, reputation: 1 }, after)
  expect(known).toMatchObject({ kinds: ['scored'], reason: 'rescored', before: { reputation: 1 } })
  expect(wideChange(change, reader(groups), after, after)).toBeNull()
  expect(wideChange(change, reader(groups), null, after)).toMatchObject({ kinds: ['scored'], reason: 'rescored' })
  const told = { ...change, rows: change.rows.map((row) => ({ ...row, was: null })) }
  expect(viewChange(told, reader(groups))).toBeNull()
})

import { describe, expect, test } from 'vitest'
import { Away, Refused } from '../../../../connectors/feed-client/port.ts'
import { followFeed } from '../../../../edge/follow/follow.ts'
import { edgeItem } from '../../../builders/edge/item-list.ts'
import { memoryLists, type Step } from '../../../builders/edge/memory-lists.ts'
import { type Answer, scriptedFeed } from '../../../builders/edge/scripted-feed.ts'

const OLD = {
  items: ['a.example', 'b.example'].map((value) => edgeItem('domain', value)),
  state: { feed: 'f', cursor: 'c5', sequence: 5, complete: true },
}
const QUIET = (cursor: string): Answer => ({ deltas: [], cursor })

type Given = {
  old?: typeof OLD | null
  maxAgeSeconds?: number
  /** What fails on the disk from the n-th question on, until the n-th. */
  full?: { step: Step; from: number; until: number }
}

/** Follows a script to its end. What happened, in order. */
async function follow(script: readonly Answer[], { old = null, maxAgeSeconds = 86_400, full }: Given = {}) {
  const lists = memoryLists(old)
  const stop = new AbortController()
  const log: string[] = []
  /** The values that answer at each question. */
  const answering: string[][] = []
  let [questions, answered, live] = [0, 0, lists.current()]
  const feed = scriptedFeed(
    script,
    (what) => {
      questions++
      log.push(what)
      answering.push(live === null ? [] : [...live.all()].map(({ value }) => value).sort())
      lists.fail(full !== undefined && questions >= full.from && questions <= full.until ? full.step : null)
    },
    () => stop.abort(),
  )
  const ended = followFeed(
    {
      feed,
      lists,
      pause: async (ms) => void log.push(`pause ${ms}`),
      answered: () => answered++,
      changed: (list) => {
        live = list as typeof live
        log.push('changed')
      },
      report: (what) => log.push(what),
    },
    lists.open(),
    { feed: 'f', maxAgeSeconds, signal: stop.signal },
  )
  await ended
  return { log, answering, answered, values: lists.values(), state: lists.current()?.state(), lists }
}

describe('the first list', () => {
  test('is read whole, then it goes on from its cursor without a wait, then with one', async () => {
    const { log, values, state } = await follow([
      { whole: ['a.example', 'b.example', 'c.example'], sequence: 7 },
      { deltas: [[8, '-', 'a.example']], cursor: 'c8' },
      { deltas: [[9, '+', 'd.example']], cursor: 'c9' },
    ])
    expect(log).toEqual([
      ...['whole', 'changed', 'read', 'deltas c7 wait 0', 'changed', 'deltas c8 wait 30', 'changed'],
    ])
    expect(values).toEqual(['b.example', 'c.example', 'd.example'])
    expect(state).toEqual({ feed: 'f', cursor: 'c9', sequence: 9, items: 3, complete: true })
  })

  test.each([
    ['short of items', { whole: ['a.example'], says: 2 }],
    ['with too many', { whole: ['a.example', 'b.example'], says: 1 }],
    ['cut between two portions', { whole: ['a.example', 'b.example', 'c.example'], cutAfter: 2 }],
  ] as [string, Answer][])('%s counts for nothing, and nothing of it stays', async (_, broken) => {
    const { log, lists, values } = await follow([broken, { whole: ['z.example'], sequence: 3 }])
    expect(log.slice(0, 5)).toEqual(['whole', 'says' in broken ? 'away' : 'failed', 'pause 250', 'whole', 'changed'])
    expect(values).toEqual(['z.example'])
    expect([lists.opened(), lists.parts()]).toEqual([1, 0])
  })

  test('may be empty', async () => {
    const { log, state } = await follow([{ whole: [], sequence: 0 }])
    expect(log).toEqual(['whole', 'changed', 'read'])
    expect(state).toMatchObject({ items: 0, sequence: 0, complete: true })
  })

  test('refused before there is one ends it', async () => {
    await expect(follow([{ error: new Refused('answers 401') }])).rejects.toThrow('answers 401')
    await expect(follow([{ error: new Away('x') }, { error: new Refused('answers 404') }])).rejects.toThrow(Refused)
  })
})

describe('a list that is there', () => {
  test('is asked for its changes at once, and not read again', async () => {
    const { log, answering } = await follow([QUIET('c5'), { deltas: [[6, '+', 'c.example']], cursor: 'c6' }], {
      old: OLD,
    })
    expect(log.filter((what) => !what.startsWith('pause'))).toEqual([
      ...['deltas c5 wait 0', 'deltas c5 wait 30', 'changed'],
    ])
    expect(answering[0]).toEqual(['a.example', 'b.example'])
  })

  test.each([
    ['a change is missing', { deltas: [[7, '+', 'x.example']], cursor: 'c7' }],
    ['a change comes again', { deltas: [[5, '+', 'x.example']], cursor: 'c5x' }],
    ['its cursor is too old', { gone: true }],
  ] satisfies [string, Answer][])('answers until the whole one is there, when %s', async (_, gap) => {
    const { log, answering, values, lists } = await follow(
      [gap, { whole: ['n.example'], sequence: 9, cutAfter: 0 }, { whole: ['n.example'], sequence: 9 }, QUIET('c9')],
      { old: OLD },
    )
    expect(log).toEqual([
      ...['deltas c5 wait 0', 'gap', 'whole', 'failed', 'pause 250'],
      ...['whole', 'changed', 'read', 'deltas c9 wait 0'],
    ])
    expect(answering.slice(0, 3)).toEqual([OLD, OLD, OLD].map(({ items }) => items.map(({ value }) => value)))
    expect([values, lists.opened(), lists.parts()]).toEqual([['n.example'], 1, 0])
  })

  test('goes on when it is refused later', async () => {
    const refused = { error: new Refused('answers 403') }
    const { log, values } = await follow([refused, refused, { deltas: [[6, '-', 'a.example']], cursor: 'c6' }], {
      old: OLD,
    })
    expect(log).toEqual([
      ...['deltas c5 wait 0', 'refused', 'pause 250', 'deltas c5 wait 0', 'refused', 'pause 500'],
      ...['deltas c5 wait 0', 'changed'],
    ])
    expect(values).toEqual(['b.example'])
  })

  test('whose whole list comes in vain again and again does not stay young', async () => {
    const cut: Answer = { whole: ['n.example', 'o.example', 'p.example'], cutAfter: 2, sequence: 9 }
    const once = await follow([{ gone: true }, cut], { old: OLD })
    const often = await follow([{ gone: true }, cut, cut, cut, cut], { old: OLD })
    expect(often.answered).toBe(once.answered)
    const atLast = await follow([{ gone: true }, cut, cut, { whole: ['n.example'], sequence: 9 }], { old: OLD })
    expect(atLast.answered).toBeGreaterThan(once.answered)
  })
})

describe('the disk', () => {
  test.each<[Step, Answer[]]>([
    ['begin', [{ gone: true }, { whole: ['n.example'], sequence: 9 }]],
    ['apply', [{ gone: true }, { whole: ['n.example'], sequence: 9 }]],
    ['finish', [{ gone: true }, { whole: ['n.example'], sequence: 9 }]],
  ])('full at %s of a whole list: the old one answers, and nothing half is left', async (step, [gap, whole]) => {
    const full = { step, from: 2, until: 3 }
    const { log, answering, values, lists } = await follow([gap!, whole!, whole!, whole!, QUIET('c9')], {
      old: OLD,
      full,
    })
    expect(log.filter((what) => what === 'failed')).toHaveLength(2)
    expect(answering[3]).toEqual(['a.example', 'b.example'])
    expect([values, lists.opened(), lists.parts()]).toEqual([['n.example'], 1, 0])
  })

  test('full at a change: it is asked for again from the cursor of before', async () => {
    const change: Answer = { deltas: [[6, '-', 'a.example']], cursor: 'c6' }
    const { log, answering, values, state } = await follow([change, change, change], {
      old: OLD,
      full: { step: 'apply', from: 1, until: 2 },
    })
    expect(log).toEqual([
      // What is kept of answers is let go of: of many changes the first ones may be there.
      ...['deltas c5 wait 0', 'changed', 'failed', 'pause 250'],
      ...['deltas c5 wait 0', 'changed', 'failed', 'pause 500'],
      ...['deltas c5 wait 0', 'changed'],
    ])
    expect(answering[2]).toEqual(['a.example', 'b.example'])
    expect([values, state!.sequence]).toEqual([['b.example'], 6])
  })
})

import { describe, expect, test } from 'vitest'
import { Away } from '../../../../connectors/feed-client/port.ts'
import { followFeed } from '../../../../edge/follow/follow.ts'
import { memoryLists } from '../../../builders/edge/memory-lists.ts'
import { type Answer, scriptedFeed } from '../../../builders/edge/scripted-feed.ts'

const STATE = { feed: 'f', cursor: 'c5', sequence: 5, complete: true }
const QUIET: Answer = { deltas: [], cursor: 'c5' }
const away = (againInMs: number | null = null): Answer => ({ error: new Away('cannot be reached', againInMs) })

/** The questions and pauses of a script over a list that is there. */
async function follow(script: readonly Answer[], maxAgeSeconds = 86_400): Promise<string[]> {
  const lists = memoryLists({ items: [], state: STATE })
  const stop = new AbortController()
  const log: string[] = []
  await followFeed(
    {
      feed: scriptedFeed(
        script,
        (what) => log.push(what),
        () => stop.abort(),
      ),
      lists,
      pause: async (ms) => void log.push(`pause ${ms}`),
      answered: () => undefined,
      changed: () => undefined,
      report: () => undefined,
    },
    lists.open(),
    { feed: 'f', maxAgeSeconds, signal: stop.signal },
  )
  return log
}

const pausesOf = (log: readonly string[]): number[] =>
  log.filter((what) => what.startsWith('pause')).map((what) => Number(what.slice(6)))

describe('a platform that is away', () => {
  test('is asked after pauses that grow, up to a bound', async () => {
    const log = await follow(Array.from({ length: 9 }, () => away()))
    expect(pausesOf(log)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
  })

  test('is asked after short pauses again once it has answered', async () => {
    const log = await follow([away(), away(), { deltas: [[6, '+', 'a.example']], cursor: 'c6' }, away()])
    expect(pausesOf(log)).toEqual([250, 500, 250])
  })

  test('is asked when it says so, but not later than the bound', async () => {
    expect(pausesOf(await follow([away(7_000), away(86_400_000)]))).toEqual([7_000, 15_000])
  })

  test('is asked without a wait once it is back', async () => {
    const log = await follow([QUIET, QUIET, away(), QUIET, QUIET])
    expect(log.filter((what) => what.startsWith('deltas'))).toEqual([
      ...['deltas c5 wait 0', 'deltas c5 wait 30', 'deltas c5 wait 30', 'deltas c5 wait 0', 'deltas c5 wait 30'],
    ])
  })
})

describe('a wait', () => {
  test.each([
    [1, 0],
    [3, 1],
    [10, 3],
    [89, 29],
    [90, 30],
    [86_400, 30],
  ])('with %d s as the greatest age is %d s', async (maxAge, wait) => {
    const log = await follow([QUIET, QUIET], maxAge)
    expect(log.filter((what) => what.startsWith('deltas'))).toEqual([`deltas c5 wait 0`, `deltas c5 wait ${wait}`])
  })

  test('that a platform does not keep is no circle without a pause', async () => {
    const log = await follow([QUIET, QUIET, QUIET, QUIET])
    expect(log).toEqual([
      ...['deltas c5 wait 0', 'deltas c5 wait 30', 'pause 250', 'deltas c5 wait 30', 'pause 250'],
      ...['deltas c5 wait 30', 'pause 250'],
    ])
  })

  test('more that never comes is no circle either', async () => {
    const more: Answer = { ...QUIET, more: true }
    expect(pausesOf(await follow([more, more, more]))).toEqual([250, 250, 250])
  })
})

test('pages of changes follow each other without a pause', async () => {
  const log = await follow([
    { deltas: [[6, '+', 'a.example']], cursor: 'c6', more: true },
    { deltas: [[7, '+', 'b.example']], cursor: 'c7', more: true },
    { deltas: [[8, '+', 'c.example']], cursor: 'c8' },
  ])
  expect(log).toEqual(['deltas c5 wait 0', 'deltas c6 wait 30', 'deltas c7 wait 30'])
})

test('a list that has a gap right behind it is not read in a circle without a pause', async () => {
  const gap: Answer = { deltas: [[99, '+', 'x.example']], cursor: 'c99' }
  const whole: Answer = { whole: ['a.example'], sequence: 5, cursor: 'c5' }
  const log = await follow([gap, whole, gap, whole, gap, whole, gap])
  expect(pausesOf(log)).toEqual([250, 500, 1_000])
})

test('a cursor that moves without a change is kept', async () => {
  const log = await follow([
    { deltas: [], cursor: 'c5b' },
    { deltas: [], cursor: 'c5b' },
  ])
  expect(log.filter((what) => what.startsWith('deltas'))).toEqual(['deltas c5 wait 0', 'deltas c5b wait 30'])
})

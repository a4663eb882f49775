import { pino } from 'pino'
import { expect, test } from 'vitest'
import { keepRunning } from '../../../../../cli/wiring/followers/beside-api.ts'
import type { Follower, FollowParts, RunningFollower } from '../../../../../cli/wiring/followers/start.ts'
import type { AccountsDatabase } from '../../../../../connectors/postgres/core/database.ts'
import { eventually } from '../../../../builders/platform/platform.ts'

const database = {} as AccountsDatabase

function kept(start: (nth: number) => Promise<RunningFollower>) {
  const said: { job: string }[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void said.push(JSON.parse(line)) })
  let starts = 0
  const follower: Follower = { name: 'alerts', needsAccounts: true, start: () => start(++starts) }
  const keeper = keepRunning(follower, { logger } as unknown as FollowParts, database)
  return { keeper, said, starts: () => starts }
}

/** Runs until it is stopped. */
function steady() {
  const ended = Promise.withResolvers<void>()
  return { closed: ended.promise, stop: async () => ended.resolve() }
}

const failing = (): RunningFollower => ({ closed: Promise.reject(new Error('away')), stop: async () => undefined })

test('a job that ends, or does not start, is started again, and the log names it', async () => {
  const { keeper, said, starts } = kept(async (nth) => {
    if (nth === 1) throw new Error('not yet')
    return nth === 2 ? failing() : steady()
  })
  await eventually(
    async () => starts(),
    (n) => n === 3,
  )
  await keeper.stop()
  expect(starts()).toBe(3)
  expect(said.map(({ job }) => job)).toEqual(['alerts', 'alerts'])
})

test('a job that is stopped is not started again', async () => {
  const { keeper, said, starts } = kept(async () => steady())
  await eventually(
    async () => starts(),
    (n) => n === 1,
  )
  await keeper.stop()
  expect([starts(), said]).toEqual([1, []])
})

test('a stop during a start stops what it started', async () => {
  const begins = Promise.withResolvers<RunningFollower>()
  const { keeper, starts } = kept(() => begins.promise)
  const stopped = keeper.stop()
  begins.resolve(steady())
  await stopped
  expect(starts()).toBe(1)
})

import { expect, test } from 'vitest'
import {
  type Follower,
  type FollowParts,
  type RunningFollower,
  startFollower,
  startFollowers,
} from '../../../../../cli/wiring/followers/start.ts'
import type { AccountsDatabase } from '../../../../../connectors/postgres/core/database.ts'

const parts = {} as FollowParts
const database = {} as AccountsDatabase

/** One that runs until it is stopped, or fails; `stops` counts. */
function runner() {
  const ended = Promise.withResolvers<void>()
  const running: RunningFollower = {
    closed: ended.promise,
    async stop() {
      made.stops++
      ended.resolve()
    },
  }
  const made = { running, stops: 0, fail: (reason: string) => ended.reject(new Error(reason)) }
  return made
}

const follower = (name: string, start: () => Promise<RunningFollower>): Follower => ({
  name,
  needsAccounts: false,
  start,
})

test('one that needs the accounts gets them, and does not start without', async () => {
  const { running } = runner()
  const got: unknown[] = []
  const alerts: Follower = {
    name: 'alerts',
    needsAccounts: true,
    async start(...given) {
      got.push(...given)
      return running
    },
  }
  expect(await startFollower(alerts, parts, database)).toBe(running)
  expect(got).toEqual([parts, database])
  await expect(startFollower(alerts, parts, null)).rejects.toThrow('alerts needs the accounts database')
})

test('all of them run until one can go on no more, and a stop stops all', async () => {
  const [a, b] = [runner(), runner()]
  const all = await startFollowers(
    [follower('a', async () => a.running), follower('b', async () => b.running)],
    parts,
    null,
  )
  b.fail('no broker')
  await expect(all.closed).rejects.toThrow('no broker')
  await all.stop()
  expect([a.stops, b.stops]).toEqual([1, 1])
})

test('when one does not start, those that did are stopped, also those that start later', async () => {
  const [early, late] = [runner(), runner()]
  const begins = Promise.withResolvers<RunningFollower>()
  const started = startFollowers(
    [
      follower('early', async () => early.running),
      follower('broken', () => Promise.reject(new Error('no table'))),
      follower('late', () => begins.promise),
    ],
    parts,
    null,
  )
  begins.resolve(late.running)
  await expect(started).rejects.toThrow('no table')
  expect([early.stops, late.stops]).toEqual([1, 1])
})

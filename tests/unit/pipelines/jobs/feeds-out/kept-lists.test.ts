import { expect, test } from 'vitest'
import type { FeedStore } from '../../../../../connectors/history/feeds-out/port.ts'
import { keptLists } from '../../../../../pipelines/jobs/feeds-out/kept-lists.ts'

/** A store whose last write another process can follow. */
function given() {
  let last = 0n
  let away = false
  const store = {
    async claim(least: bigint) {
      last = least
      return last
    },
    isLast: async (version: bigint) => version === last,
    async write(_: unknown, version: bigint, after: bigint) {
      if (away) throw new Error('the store is away')
      if (after !== last) return false
      last = version
      return true
    },
    epochs: async () => [{ feed: 'f', epoch: 1, gone: 0 }],
  } as unknown as FeedStore
  let lost = 0
  const lists = keptLists(store, () => lost++)
  return { lists, lost: () => lost, goes: () => (away = true), follows: () => (last += 1n) }
}

test('writes follow each other, and none follows what another process wrote', async () => {
  const { lists, lost, follows } = given()
  await lists.claim(5n)
  await lists.write([], 6n)
  await lists.write([], 7n)
  follows()
  await expect(lists.write([], 8n)).rejects.toThrow('another process has taken over the lists of feeds')
  expect(lost()).toBe(1)
})

test('what is known of the lists is void after a write of which nobody knows', async () => {
  const { lists, lost, goes } = given()
  await lists.claim(5n)
  goes()
  await expect(lists.write([], 6n)).rejects.toThrow('the store is away')
  expect(lost()).toBe(1)
})

test('what no head names is told only while no other process makes lists', async () => {
  const { lists, follows } = given()
  await lists.claim(5n)
  expect(await lists.epochs()).toHaveLength(1)
  follows()
  await expect(lists.epochs()).rejects.toThrow('another process has taken over the lists of feeds')
})

import { expect, test } from 'vitest'
import type { Subject } from '../../../../../connectors/postgres/accounts/plan/port.ts'
import { openStreams, type StreamPlaces } from '../../../../../connectors/postgres/live/stream-places.ts'

const MINE: Subject = { type: 'user', id: 'ada' }
const AT = 1_800_000_000_000

/** One subject's places in memory, and a process over them. `away`: every statement fails. */
function given() {
  const held = new Set<string>()
  const store = { away: false, renewals: 0 }
  const failures: string[] = []
  const here = () => {
    if (store.away) throw new Error('the store is away')
  }
  const places: StreamPlaces = {
    async take(subject, most, id, now) {
      here()
      expect([subject, now]).toEqual([MINE, AT])
      if (held.size >= most) return false
      held.add(id)
      return true
    },
    async renew(ids, now) {
      here()
      expect(now).toBe(AT)
      store.renewals++
      return new Set(ids.filter((id) => held.has(id)))
    },
    async giveBack(ids) {
      here()
      for (const id of ids) held.delete(id)
    },
    open: async () => held.size,
    sweep: async () => 0,
  }
  let made = 0
  const streams = openStreams(places, {
    now: () => AT,
    newId: () => `stream-${++made}`,
    onFailure: ({ message }) => failures.push(message),
  })
  return { held, store, failures, streams }
}

test('a stream has a place until it gives it back', async () => {
  const { streams, held } = given()
  const place = await streams.take(MINE, 1)
  expect(await streams.take(MINE, 1)).toBeNull()
  expect(await streams.open(MINE, AT)).toBe(1)
  await place!.giveBack()
  expect([...held]).toEqual([])
  const next = await streams.take(MINE, 1)
  await place!.giveBack()
  expect(held.size).toBe(1)
  expect(next!.lost.aborted).toBe(false)
})

test('all streams are renewed in one statement, and a process without streams asks nothing', async () => {
  const { streams, store } = given()
  await streams.renew()
  expect(store.renewals).toBe(0)
  const places = [await streams.take(MINE, 3), await streams.take(MINE, 3), await streams.take(MINE, 3)]
  await streams.renew()
  expect(store.renewals).toBe(1)
  expect(places.map((place) => place!.lost.aborted)).toEqual([false, false, false])
  for (const place of places) await place!.giveBack()
  await streams.renew()
  expect(store.renewals).toBe(1)
})

test('a stream that lost its place is told once, the others go on', async () => {
  const { streams, held } = given()
  const [lost, kept] = [await streams.take(MINE, 2), await streams.take(MINE, 2)]
  let told = 0
  lost!.lost.addEventListener('abort', () => told++)
  held.delete('stream-1')
  await streams.renew()
  await streams.renew()
  expect([told, kept!.lost.aborted]).toEqual([1, false])
  // The place is of another stream by now.
  held.add('stream-1')
  await lost!.giveBack()
  expect([...held].sort()).toEqual(['stream-1', 'stream-2'])
})

test('a stream that ends or begins during a renewal has not lost its place', async () => {
  const { streams, held } = given()
  const ending = await streams.take(MINE, 3)
  const renewal = streams.renew()
  const [begun] = await Promise.all([streams.take(MINE, 3), ending!.giveBack()])
  await renewal
  expect([ending!.lost.aborted, begun!.lost.aborted]).toEqual([false, false])
  expect([...held]).toEqual(['stream-2'])
})

test('while the store is away no stream begins and none is ended, and an end of a stream never fails', async () => {
  const { streams, store, failures, held } = given()
  const [first, second] = [await streams.take(MINE, 3), await streams.take(MINE, 3)]
  store.away = true
  await expect(streams.take(MINE, 3)).rejects.toThrow('away')
  await expect(streams.renew()).rejects.toThrow('away')
  await first!.giveBack()
  expect(failures).toEqual(['the store is away'])
  store.away = false
  await streams.renew()
  expect(second!.lost.aborted).toBe(false)
  expect([...held]).toEqual(['stream-1', 'stream-2'])
})

test('the end of the process gives everything back, and tells no stream that its place is lost', async () => {
  const { streams, held } = given()
  const place = await streams.take(MINE, 2)
  await streams.take(MINE, 2)
  await streams.close()
  expect([...held]).toEqual([])
  await streams.renew()
  expect(place!.lost.aborted).toBe(false)
})

import { expect, test, vi } from 'vitest'
import { LINES } from '../../../../../../api/live/services/following/forms.ts'
import { hub as newHub } from '../../../../../../api/live/services/following/hub.ts'
import { readerOf } from '../../../../../../api/live/services/following/reader.ts'
import { stream as newStream } from '../../../../../../api/live/services/following/stream.ts'
import type { Teller } from '../../../../../../api/live/services/following/teller.ts'
import type { ChangeBatch, ChangeLog } from '../../../../../../connectors/operations/changes/port.ts'
import { readFilter } from '../../../../../../schemas/live/filter.ts'
import { type MemorySink, memorySink } from '../../../../../builders/api/live/sink.ts'
import { SEALS } from '../../../../../builders/api/live/streams.ts'

type Each = (batch: ChangeBatch) => Promise<void>

/** A log of one partition whose batches come when the test says so; `atOnce`: one before the reader is told where it is. */
function manualLog(atOnce: ChangeBatch | null = null) {
  const readings: { each: Each; fail: (error: Error) => void }[] = []
  const changes: Pick<ChangeLog, 'follow'> = {
    async follow(_, each) {
      if (atOnce !== null) void each(atOnce)
      await new Promise(setImmediate)
      const closed = Promise.withResolvers<void>()
      closed.promise.catch(() => undefined)
      readings.push({ each, fail: closed.reject })
      return { from: [5], closed: closed.promise, stop: async () => undefined }
    },
  }
  return { changes, readings }
}

const batch = (from: number, to: number): ChangeBatch => ({ partition: 0, from, to, changes: [] })

function hubOf(log: ReturnType<typeof manualLog>, tell: Teller = async () => []) {
  const failures: unknown[] = []
  const onFailure = (error: unknown): void => void failures.push(error)
  const hub = newHub({ changes: log.changes, tell, seals: async () => SEALS, now: () => 0, onFailure })
  return { hub, failures }
}

/** A stream that reads along from where the hub is. */
function join(hub: ReturnType<typeof newHub>): MemorySink {
  const sink = memorySink()
  const read = readFilter({})
  if (!read.ok) throw new Error(read.message)
  const reader = readerOf(['public'])
  const given = { sink, reader, filter: read.filter, form: LINES, purpose: 'test', seals: SEALS, now: () => 0 }
  const stream = newStream({ ...given, places: hub.places() })
  stream.goAlong(0)
  hub.add(stream)
  return sink
}

test('a batch that comes before the places of the reader are known is handed out behind them', async () => {
  const { hub } = hubOf(manualLog(batch(5, 7)))
  await hub.start()
  await vi.waitFor(() => expect(hub.places()).toEqual([{ offset: 7, observed: 0 }]))
})

test('a reading that failed ends the streams of its own time, and none of the one that was begun after it', async () => {
  const log = manualLog()
  const tell = vi.fn<Teller>().mockRejectedValueOnce(new Error('the store is away')).mockResolvedValue([])
  const { hub, failures } = hubOf(log, tell)
  await hub.start()
  const first = join(hub)
  await expect(log.readings[0]!.each(batch(5, 6))).rejects.toThrow('the store is away')
  expect(first.ended()).toBe('ended')
  await hub.start()
  const second = join(hub)
  // The first reading says so once more as it ends.
  log.readings[0]!.fail(new Error('the store is away'))
  await new Promise(setImmediate)
  await log.readings[1]!.each(batch(5, 9))
  expect(second.ended()).toBeNull()
  expect(hub.places()).toEqual([{ offset: 9, observed: 0 }])
  expect(failures).toHaveLength(1)
})

test('when too much waits for all clients together, those who read nothing are ended with their place', async () => {
  const log = manualLog()
  const { hub } = hubOf(log)
  await hub.start()
  const silent = Array.from({ length: 200 }, () => join(hub))
  const reading = join(hub)
  for (const sink of silent) {
    sink.read(false)
    sink.write('x'.repeat(1_000_000))
  }
  await log.readings[0]!.each(batch(5, 6))
  const ended = silent.filter((sink) => sink.ended() !== null)
  expect(200 - ended.length).toBe(134)
  for (const sink of ended) expect(sink.text().slice(1_000_000)).toMatch(/^\{"event":"lagging","cursor":"[^"]+"/)
  expect(reading.ended()).toBeNull()
})

import { expect, test, vi } from 'vitest'
import { LINES } from '../../../../../../api/live/services/following/forms.ts'
import { hub as newHub } from '../../../../../../api/live/services/following/hub.ts'
import { readerOf } from '../../../../../../api/live/services/following/reader.ts'
import type { ReaderChanges } from '../../../../../../api/live/services/following/reader-changes.ts'
import { stream as newStream } from '../../../../../../api/live/services/following/stream.ts'
import type { ChangeBatch } from '../../../../../../connectors/operations/changes/port.ts'
import { readFilter } from '../../../../../../schemas/live/filter.ts'
import { memorySink } from '../../../../../builders/api/live/sink.ts'
import { SEALS } from '../../../../../builders/api/live/streams.ts'

type Reading = { each: (batch: ChangeBatch) => Promise<void>; fail: (error: Error) => void }

const batch = (to: number): ChangeBatch => ({ partition: 0, from: 0, to, changes: [] })

/** A hub over one partition whose readings and questions are answered by hand. */
function handledHub(tell: ReaderChanges = async () => [], from: (reading: Reading) => number = () => 3) {
  const readings: Reading[] = []
  const failures: unknown[] = []
  const follow = async (_: unknown, each: Reading['each']) => {
    const closed = Promise.withResolvers<void>()
    const reading = { each, fail: closed.reject }
    readings.push(reading)
    return { from: [from(reading)], closed: closed.promise, stop: async () => undefined }
  }
  const hub = newHub({
    changes: { follow },
    tell,
    unread: { keepWithin: () => undefined },
    seals: async () => SEALS,
    now: () => 0,
    onFailure: (error) => void failures.push(error),
  })
  const read = readFilter({})
  if (!read.ok) throw new Error(read.message)
  /** A stream that reads along from where the hub is. */
  const begin = (groups = ['public']) => {
    const given = { reader: readerOf(groups), filter: read.filter, form: LINES, purpose: 'p', seals: SEALS }
    const stream = newStream({ ...given, sink: memorySink(), places: hub.places(), now: () => 0 })
    stream.goAlong(0)
    hub.add(stream)
    return stream
  }
  return { hub, readings, failures, begin }
}

/** A question that a test answers. */
function question() {
  const { promise, resolve, reject } = Promise.withResolvers<[]>()
  return { tell: vi.fn<ReaderChanges>(() => promise), resolve: () => resolve([]), reject }
}

const turns = () => new Promise(setImmediate)

test('what arrives before the places are known is handed out after that', async () => {
  let early: Promise<void> | undefined
  const { hub } = handledHub(undefined, ({ each }) => {
    early = each(batch(5))
    return 3
  })
  await hub.start()
  await early
  expect(hub.places()).toEqual([{ offset: 5, observed: 0 }])
})

test('what an earlier reading could not ask does not end the streams of a later one', async () => {
  const asked = question()
  const { hub, readings, failures, begin } = handledHub(asked.tell)
  await hub.start()
  const first = begin()
  const handing = readings[0]!.each(batch(5))
  await vi.waitFor(() => expect(asked.tell).toHaveBeenCalled())
  readings[0]!.fail(new Error('the disk is full'))
  await turns()
  expect(first.isOpen()).toBe(false)
  await hub.start()
  const later = begin()
  asked.reject(new Error('the store is away'))
  await expect(handing).rejects.toThrow('the store is away')
  expect([later.isOpen(), hub.size(), failures]).toEqual([true, 1, [new Error('the disk is full')]])
})

test('what an earlier reading was told late is not handed to the streams of a later one', async () => {
  const asked = question()
  const { hub, readings, begin } = handledHub(asked.tell)
  await hub.start()
  begin()
  const handing = readings[0]!.each(batch(5))
  await vi.waitFor(() => expect(asked.tell).toHaveBeenCalled())
  readings[0]!.fail(new Error('the disk is full'))
  await turns()
  await hub.start()
  const later = begin()
  asked.resolve()
  await handing
  expect([later.places(), hub.places()]).toEqual([[{ offset: 3, observed: 0 }], [{ offset: 3, observed: 0 }]])
})

test('a stream that was about to begin when the reading failed ends as those that had begun', async () => {
  const { hub, readings, begin } = handledHub()
  await hub.start()
  readings[0]!.fail(new Error('the disk is full'))
  await turns()
  const late = begin()
  expect([late.isOpen(), hub.size()]).toEqual([false, 0])
})

test('after a failure, who waits for it to go on waits until it does', async () => {
  const { hub, readings } = handledHub()
  await hub.start()
  readings[0]!.fail(new Error('the disk is full'))
  await turns()
  await hub.start()
  const moved = vi.fn()
  void hub.moved().then(moved)
  await turns()
  expect(moved).not.toHaveBeenCalled()
  await readings[1]!.each(batch(5))
  expect(moved).toHaveBeenCalled()
})

test('a question that nobody waits for any more does not end the streams of others', async () => {
  const asked = question()
  const tell: ReaderChanges = async (reader, ...rest) =>
    reader.groups.includes('blue') ? asked.tell(reader, ...rest) : []
  const { hub, readings, failures, begin } = handledHub(tell)
  await hub.start()
  const blue = begin(['blue'])
  const other = begin(['public'])
  const handing = readings[0]!.each(batch(5))
  await vi.waitFor(() => expect(asked.tell).toHaveBeenCalled())
  const isAwaited = asked.tell.mock.calls[0]![2]
  expect(isAwaited()).toBe(true)
  blue.cutOff()
  hub.remove(blue)
  expect(isAwaited()).toBe(false)
  asked.reject(new Error('the store is away'))
  await handing
  expect([other.isOpen(), other.places(), failures]).toEqual([true, [{ offset: 5, observed: 0 }], []])
})

import { expect, test } from 'vitest'
import { lineWriters } from '../../../../../api/http/answers/line-writer.ts'
import type { Sink } from '../../../../../api/http/answers/stream-body.ts'

/** A client that takes what it is given only when told to. */
function client() {
  const aborter = new AbortController()
  const taken: string[] = []
  let buffered: Buffer[] = []
  const waiting = new Set<() => void>()
  const sink: Sink = {
    write: (text) => void buffered.push(Buffer.from(text)),
    buffered: () => buffered.reduce((sum, { length }) => sum + length, 0),
    end: () => undefined,
    destroy: () => aborter.abort('gone'),
    signal: aborter.signal,
    onDrain: (call) => void waiting.add(call),
  }
  return {
    sink,
    taken,
    gone: () => aborter.abort('gone'),
    read() {
      taken.push(...buffered.map(String))
      buffered = []
      const calls = [...waiting]
      waiting.clear()
      for (const call of calls) call()
    },
  }
}

const KIB = 'x'.repeat(1_024)
const bounds = { held: 4 * 1_024 * 1_024, heldByAll: 6 * 1_024 * 1_024, own: 64 * 1_024 }
const settled = async (promise: Promise<void>) => {
  let done = false
  void promise.then(() => {
    done = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

test('answers wait for a client that does not read, up to a bound, and come in order once it reads', async () => {
  const writer = lineWriters(bounds)()
  const reader = client()
  writer.open(reader.sink)
  let written = 0
  while (writer.hasRoom()) writer.write(`${written++} ${KIB}`)
  expect(written).toBeGreaterThan(4_000)
  expect(written).toBeLessThan(4_500)
  const room = writer.room()
  expect(await settled(room)).toBe(false)
  while (!(await settled(writer.flushed()))) reader.read()
  reader.read()
  expect(await settled(room)).toBe(true)
  expect(reader.taken.join('').match(/\d+ /g)).toHaveLength(written)
  expect(reader.taken.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: written }, (_, n) => n))
})

test('clients share their room, but each has a little of its own; what one gives back, others have', async () => {
  const newWriter = lineWriters(bounds)
  const [first, second, third] = [newWriter(), newWriter(), newWriter()]
  for (const writer of [first, second]) while (writer.hasRoom()) writer.write(KIB)
  let own = 0
  while (third.hasRoom()) {
    third.write(KIB)
    own++
  }
  expect(own).toBe(64)
  first.close()
  expect(third.hasRoom()).toBe(true)
})

test('what was written before the head is out waits for it; a client that is gone holds nothing', async () => {
  const writer = lineWriters(bounds)()
  writer.write('early')
  const reader = client()
  writer.open(reader.sink)
  reader.read()
  expect(reader.taken).toEqual(['early'])
  while (writer.hasRoom()) writer.write(KIB)
  const [room, flushed] = [writer.room(), writer.flushed()]
  reader.gone()
  expect([await settled(room), await settled(flushed), writer.hasRoom()]).toEqual([true, true, true])
  writer.write('late')
  expect(await settled(writer.flushed())).toBe(true)
})

test('who withholds an answer is told when no more of it has room, also when others took the room', async () => {
  const newWriter = lineWriters(bounds)
  const [first, second, third] = [newWriter(), newWriter(), newWriter()]
  const full = third.full()
  third.write('x'.repeat(bounds.own))
  void third.room()
  expect(await settled(full)).toBe(false)
  for (const writer of [first, second]) while (writer.hasRoom()) writer.write(KIB)
  const room = third.room()
  expect(await settled(full)).toBe(true)
  expect(await settled(room)).toBe(false)
  const reader = client()
  third.open(reader.sink)
  reader.read()
  expect(await settled(room)).toBe(true)
})

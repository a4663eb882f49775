import { setImmediate as others } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Sink } from '../../../../../api/http/answers/stream-body.ts'
import { type Channel, openStreams } from '../../../../../api/http/answers/streams.ts'
import { apiPorts } from '../../../../builders/api/ports.ts'

/** A transport that writes down what it is asked for; its client takes a text when told to. */
function channel() {
  const calls: string[] = []
  const taking: (() => void)[] = []
  const over: Channel = {
    write(text, taken) {
      calls.push(`write ${text}`)
      taking.push(taken)
    },
    end: (code) => void calls.push(`end ${code}`),
    fail: () => void calls.push('fail'),
    destroy: () => void calls.push('destroy'),
  }
  return { over, calls, take: () => taking.shift()?.() }
}

function streams(lastMs?: number) {
  const { logger, metrics } = apiPorts()
  return openStreams({ logger, metrics: metrics.instruments }, lastMs)
}

function begun(registry = streams()) {
  const client = channel()
  let sink: Sink | undefined
  const closed = registry.begin((given) => {
    sink = given
  }, client.over)
  return { ...client, sink: sink!, closed }
}

test('what waits is the bytes that were written and not taken, whatever the order of writes and takes', () => {
  const registry = streams()
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constant(null))), (steps) => {
      const { sink, take, closed } = begun(registry)
      const waiting: number[] = []
      for (const step of steps) {
        if (step === null) {
          take()
          waiting.shift()
        } else {
          sink.write(step)
          waiting.push(Buffer.byteLength(step))
        }
        expect(sink.buffered()).toBe(waiting.reduce((sum, bytes) => sum + bytes, 0))
      }
      closed()
    }),
  )
})

test('a drain calls back once, when all was taken, and at once when nothing waits', async () => {
  const { sink, take } = begun()
  const drained = vi.fn()
  sink.write('a')
  sink.write('b')
  sink.onDrain(drained)
  take()
  expect(drained).not.toHaveBeenCalled()
  take()
  expect(drained).toHaveBeenCalledOnce()
  sink.onDrain(drained)
  await others()
  expect(drained).toHaveBeenCalledTimes(2)
})

test('after the end of the connection nothing is written, ended or called back', async () => {
  const { sink, take, calls, closed } = begun()
  const drained = vi.fn()
  sink.write('a')
  sink.onDrain(drained)
  closed()
  take()
  sink.onDrain(drained)
  sink.write('b')
  sink.end()
  sink.destroy()
  await others()
  expect(calls).toEqual(['write a'])
  expect(drained).not.toHaveBeenCalled()
  expect(sink.signal.reason).toBe('gone')
})

test('a stream ends once, with the code that its service gives', () => {
  const first = begun()
  first.sink.end()
  first.sink.end(1013)
  first.sink.write('late')
  expect(first.calls).toEqual(['end 1000'])
  const second = begun()
  second.sink.end(1013)
  second.sink.destroy()
  expect(second.calls).toEqual(['end 1013', 'destroy'])
})

test('a client for whom far too much waits is cut off instead of being written to', () => {
  const { sink, calls } = begun()
  sink.write('x'.repeat(8 * 1024 * 1024 + 1))
  sink.write('y')
  expect(calls.slice(1)).toEqual(['destroy'])
})

test('a stream for nobody starts, and is over before anything else happens', async () => {
  const registry = streams()
  const reasons: unknown[] = []
  registry.beginForNobody((sink) => {
    expect(sink.signal.aborted).toBe(false)
    sink.signal.addEventListener('abort', () => reasons.push(sink.signal.reason))
    sink.write('a')
  })
  expect(reasons).toEqual(['gone'])
  await registry.stop()
})

test('a start that fails breaks the stream, at once or later', async () => {
  const registry = streams()
  const [now, later] = [channel(), channel()]
  registry.begin(() => {
    throw new Error('now')
  }, now.over)
  registry.begin(async () => {
    await others()
    throw new Error('later')
  }, later.over)
  await vi.waitFor(() => expect([now.calls, later.calls]).toEqual([['fail'], ['fail']]))
})

test('a stop tells the service first, then ends with "going away", and resolves once all are over', async () => {
  const registry = streams()
  const { sink, calls, closed } = begun(registry)
  const own = begun(registry)
  sink.signal.addEventListener('abort', () => sink.write(`last ${sink.signal.reason}`))
  own.sink.signal.addEventListener('abort', () => own.sink.end(1013))
  let stopped = false
  const all = Promise.all([registry.stop(), registry.stop()]).then(() => {
    stopped = true
  })
  expect(calls).toEqual(['write last stopping'])
  expect(own.calls).toEqual(['end 1001'])
  await vi.waitFor(() => expect(calls).toEqual(['write last stopping', 'end 1001']))
  own.closed()
  own.closed()
  await others()
  expect(stopped).toBe(false)
  closed()
  await all
})

test('a service that waits for the signal in a promise still has the last word at a stop', async () => {
  const registry = streams()
  const client = channel()
  const closed = registry.begin(async (sink) => {
    await new Promise((resolve) => sink.signal.addEventListener('abort', resolve))
    await Promise.resolve()
    sink.write('bye')
  }, client.over)
  const all = registry.stop()
  await vi.waitFor(() => expect(client.calls).toEqual(['write bye', 'end 1001']))
  closed()
  await all
})

test('a client that does not take its end at a stop is cut off', async () => {
  const registry = streams(20)
  const { calls, closed } = begun(registry)
  const all = registry.stop()
  await vi.waitFor(() => expect(calls).toEqual(['end 1001', 'destroy']))
  closed()
  await all
})

test('a stream that begins after the stop is ended like those before', async () => {
  const registry = streams()
  await registry.stop()
  const { sink, calls, closed } = begun(registry)
  expect(sink.signal.reason).toBe('stopping')
  await vi.waitFor(() => expect(calls).toEqual(['end 1001']))
  closed()
})

import { expect, test } from 'vitest'
import { firstChanges } from '../../../../../../api/assistants/services/tools/changes-tool.ts'
import type { Sink } from '../../../../../../api/http/answers/stream-body.ts'

const line = (event: string, cursor: string, id?: string) =>
  `${JSON.stringify({ event, cursor, data: id === undefined ? {} : { id } })}\n`
const open = () => new AbortController().signal

test('everything up to now is told, whatever pieces it comes in, and the stream ends', async () => {
  let sink!: Sink
  const found = await firstChanges(
    (given) => {
      sink = given
      given.write(Buffer.from(line('change', 'c1', 'one') + line('change', 'c2', 'two')))
      given.write(line('heartbeat', 'c3'))
      given.write(line('caught-up', 'c4'))
    },
    { limit: 10, signal: open() },
  )
  expect(found).toEqual({
    changes: [
      { cursor: 'c1', data: { id: 'one' } },
      { cursor: 'c2', data: { id: 'two' } },
    ],
    cursor: 'c4',
    isAll: true,
  })
  expect(sink.signal.aborted).toBe(true)
})

test('no more than the limit is told, and the cursor is behind the last of them', async () => {
  const found = await firstChanges(
    (sink) => sink.write(line('change', 'c1', 'one') + line('change', 'c2', 'two') + line('caught-up', 'c3')),
    { limit: 1, signal: open() },
  )
  expect(found).toEqual({ changes: [{ cursor: 'c1', data: { id: 'one' } }], cursor: 'c1', isAll: false })
})

test.each(['end', 'destroy'] as const)('a stream whose connection comes to its %s is not everything', async (how) => {
  const found = await firstChanges((sink) => sink[how](), { limit: 1, signal: open() })
  expect(found).toEqual({ changes: [], cursor: null, isAll: false })
})

test('a stream that says nothing ends with its time, and with its client', async () => {
  const signals: AbortSignal[] = []
  const start = (sink: Sink) => void signals.push(sink.signal)
  expect((await firstChanges(start, { limit: 1, signal: open(), mostMs: 5 })).isAll).toBe(false)
  const gone = new AbortController()
  const asked = firstChanges(start, { limit: 1, signal: gone.signal })
  gone.abort()
  expect((await asked).isAll).toBe(false)
  expect((await firstChanges(start, { limit: 1, signal: gone.signal })).isAll).toBe(false)
  expect(signals.every(({ aborted }) => aborted)).toBe(true)
})

test('what the start throws is thrown, and the stream ends', async () => {
  const asked = firstChanges(() => Promise.reject(new Error('no')), { limit: 1, signal: open() })
  await expect(asked).rejects.toThrow('no')
})

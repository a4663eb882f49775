import type { Duplex } from 'node:stream'

/** This much of a server's output is read. */
export const MAX_BYTES = 8_192

/** The value that `start` settles with, or `late()` once `ms` are over or `signal` aborts. */
export function within<T>(
  ms: number,
  signal: AbortSignal,
  late: () => T,
  start: (settle: (value: T) => void) => void,
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const end = (): void => resolve(late())
  const timer = setTimeout(end, ms)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  else start(resolve)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  })
}

/** Whether `event` occurred before the stream was closed or the time was up. */
export const happens = (stream: Duplex, event: string, ms: number, signal: AbortSignal): Promise<boolean> =>
  within(
    ms,
    signal,
    () => false,
    (settle) => {
      stream.once(event, () => settle(true)).once('close', () => settle(false))
      if (stream.destroyed) settle(false)
    },
  )

/** The first line that a server sends by itself, or as much of it as arrived: at most 8 KiB, within `ms`. */
export function firstLine(stream: Duplex, ms: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  const receivedBytes = () => Buffer.concat(chunks).subarray(0, MAX_BYTES)
  return within(ms, signal, receivedBytes, (settle) => {
    let size = 0
    const done = (): void => settle(receivedBytes())
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (chunk.includes(10) || size >= MAX_BYTES) {
        stream.pause()
        done()
      }
    })
    stream.once('end', done).once('close', done)
    if (stream.destroyed) done()
  })
}

import type { Duplex } from 'node:stream'

/** How much of what a server says is read. */
export const MAX_BYTES = 8_192

/** What `start` settles with, or `late` when `ms` are over or `signal` ends it. */
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

/** Whether `event` came before the stream was closed and the time was up. */
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

/** The first line a server says without being asked, or as much of it as came: at most 8 KiB, in `ms` altogether. */
export function firstLine(stream: Duplex, ms: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  const said = () => Buffer.concat(chunks).subarray(0, MAX_BYTES)
  return within(ms, signal, said, (settle) => {
    let size = 0
    const done = (): void => settle(said())
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

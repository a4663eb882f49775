import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** The same bytes, unpacked when they begin as gzip does, whatever the file is called. */
export async function* unpack(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = chunks[Symbol.asyncIterator]()
  const start: Buffer[] = []
  let size = 0
  while (size < 2) {
    const next = await source.next()
    if (next.done) break
    start.push(next.value)
    size += next.value.length
  }
  const whole = resume(start, source)
  const head = Buffer.concat(start)
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* whole
    return
  }
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const input = Readable.from(whole)
  // An unreadable source must end the loop below; without this it would wait for bytes for ever.
  input.on('error', (error) => gunzip.destroy(error))
  try {
    yield* input.pipe(gunzip)
  } finally {
    input.destroy()
  }
}

async function* resume(start: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* start
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** UTF-8 text of bytes that may be cut inside a character; bytes that are none become U+FFFD. */
export async function* decodeText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { encodingOf, HEAD_BYTES } from './parse/encoding.ts'

/** The same bytes, unpacked when they begin as gzip does, whatever the file is called. */
export async function* unpack(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { head, whole } = await beginning(chunks, 2)
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

/** The first bytes, at least `wanted` where there are so many, and all of them. */
async function beginning(
  chunks: AsyncIterable<Buffer>,
  wanted: number,
): Promise<{ head: Buffer; whole: AsyncGenerator<Buffer> }> {
  const source = chunks[Symbol.asyncIterator]()
  const start: Buffer[] = []
  let size = 0
  while (size < wanted) {
    const next = await source.next()
    if (next.done) break
    start.push(next.value)
    size += next.value.length
  }
  return { head: Buffer.concat(start), whole: resume(start, source) }
}

async function* resume(start: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* start
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/**
 * Text of bytes that may be cut inside a character, in UTF-8 or, with a byte order mark, UTF-16; invalid bytes become
 * U+FFFD.
 * @throws for another encoding that can be recognised
 */
export async function* decodeText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const { head, whole } = await beginning(chunks, HEAD_BYTES)
  const decoder = new TextDecoder(encodingOf(head))
  for await (const chunk of whole) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

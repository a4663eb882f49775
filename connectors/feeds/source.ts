import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { openUrl, shownUrl } from './feed-url.ts'

/** The bytes of a feed, wherever they are. */
export type FeedSource = {
  /** Equal for equal bytes, as far as the source can tell; null when it cannot. */
  identity: string | null
  /** Bytes in all, packed as they are; null when not known before the end. */
  size: number | null
  bytes: AsyncIterable<Buffer>
  /** How many bytes have been read so far. */
  read: () => number
}

const CHUNK = 256 * 1024

/**
 * Opens `place`: `-` is the standard input, `http://` and `https://` are fetched, anything else is a file.
 * @throws when there is no such file, or the URL may not or cannot be fetched.
 */
export async function openSource(place: string, stdin: Readable): Promise<FeedSource> {
  if (place === '-') return countBytes(stdin, null, null)
  if (/^https?:\/\//i.test(place)) {
    const { identity, size, body } = await openUrl(place)
    return countBytes(body, identity, size)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place))
    throw new Error(
      `${URL.canParse(place) ? shownUrl(new URL(place)) : 'the URL'}: only http and https URLs are supported`,
    )
  const path = resolve(place)
  const { size, mtimeMs } = await stat(path)
  return countBytes(createReadStream(path, { highWaterMark: CHUNK }), `${path} ${size} ${mtimeMs}`, size)
}

function countBytes(stream: AsyncIterable<Buffer>, identity: string | null, size: number | null): FeedSource {
  let read = 0
  async function* bytes() {
    for await (const chunk of stream) {
      read += chunk.length
      yield chunk
    }
  }
  return { identity, size, bytes: bytes(), read: () => read }
}

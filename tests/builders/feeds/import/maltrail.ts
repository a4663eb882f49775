/** The trails of malware, a real feed of 1.85 million lines. */

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type ParseOptions, parseFeed } from '../../../../connectors/feeds/read-feed.ts'

const NEWLINE = 10

/** Every n-th line of a packed file, the first one among them. */
async function* everyLine(file: string, n: number): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of createReadStream(file).pipe(createGunzip()) as AsyncIterable<Buffer>) {
    const kept: Buffer[] = []
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, from)
      const to = end === -1 ? chunk.length : end + 1
      if (at % n === 0) kept.push(chunk.subarray(from, to))
      if (end !== -1) at++
      from = to
    }
    if (kept.length > 0) yield Buffer.concat(kept)
  }
}

/** Items and mistyped lines among every n-th line of the file; 1 reads it as it is. */
export async function countTrails(file: string, n: number, options: Omit<ParseOptions, 'format' | 'columns'>) {
  const counts = { accepted: 0, rejected: 0 }
  const stream = n === 1 ? createReadStream(file) : Readable.from(everyLine(file, n))
  const read: ParseOptions = { ...options, format: 'tsv', columns: 'indicator,category,malware-family' }
  for await (const items of parseFeed(stream, read))
    for (const item of items) counts['entity' in item ? 'accepted' : 'rejected']++
  return counts
}

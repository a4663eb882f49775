import { access, constants } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { lineReader } from '../../../connectors/feeds/line-reader.ts'
import { type Extraction, extractor } from '../../../schemas/intelligence/extract/extract.ts'
import { MAX_LINE } from '../../../schemas/intelligence/extract/indicator.ts'
import { readLog, readStream } from '../match/follow.ts'
import { unusable } from '../values/values.ts'

/** Distinct indicators of one command; each is held until the answer is sorted. */
export const MOST = 100_000

/**
 * The indicators of a file, or of the standard input (`-`), read piece by piece: memory holds a piece, a line and the
 * indicators. Lines that are too long are counted and not read.
 */
export async function readIndicators(place: string, stdin: Readable, signal: AbortSignal): Promise<Extraction> {
  if (place !== '-') await access(place, constants.R_OK).catch(unusable(place))
  const reading = extractor({ most: MOST })
  const reader = lineReader(MAX_LINE)
  const decoder = new TextDecoder()
  let overlong = 0
  const take = (lines: readonly (string | null)[]): void => {
    for (const line of lines) {
      if (line === null) overlong++
      reading.line(line ?? '')
    }
  }
  const pieces = place === '-' ? readStream(stdin, signal) : readLog(place, { follow: false, signal })
  try {
    for await (const piece of pieces)
      if (typeof piece !== 'symbol') take(reader.push(decoder.decode(piece, { stream: true })))
  } catch (error) {
    unusable(place)(error as NodeJS.ErrnoException)
  }
  take(reader.push(decoder.decode()))
  take(reader.end())
  const { left, ...found } = reading.found()
  return { ...found, left: { ...left, cutLines: left.cutLines + overlong } }
}

/** The part of a body that an attempt before this one has taken: compared, and answered again (decisions 15.1). */

import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import type { LineWriter } from '../../../http/answers/line-writer.ts'
import type { LineStream } from '../../../http/bodies/line-stream.ts'
import type { BodyMark, HeldKey } from './key.ts'
import { linePlaces } from './line-places.ts'
import { makePortion } from './portion.ts'

/**
 * `same`: the part is as before. `other`: another body. `unsure`: the client waits for answers before it sends more, or
 * there is no room to keep them back. `cut`, `late`: the part did not come.
 */
export type Compared = 'same' | 'other' | 'unsure' | 'cut' | 'late'

export type Repeat = {
  /**
   * Goes on comparing; what is compared is answered to the writer. Nothing is told of it yet: an answer to another body
   * would be wrong.
   * @param waitMs how long a client that sends nothing is waited for; then `unsure`. Default: the stream's own bound
   */
  compare(waitMs?: number): Promise<Compared>
  /** Lines that were answered again. */
  answered(): { lines: number; count: number; accepted: number; rejected: number }
}

const PORTION = 256 * 1024

export function repeatOf(held: HeldKey, user: Identity, lines: LineStream, writer: LineWriter): Repeat {
  const { request } = held
  // As its groups were: what they let it name then is what was answered.
  const then: Identity = { ...user, ownGroups: request.groups }
  const sum = { lines: 0, count: 0, accepted: 0, rejected: 0 }
  let mark: BodyMark = { bytes: 0, digest: Buffer.alloc(0) }
  const limited = rangesOf(request.limited)
  const identifiers = { submissionId: '', nextId: () => '' }

  async function answer(bytes: Buffer): Promise<void> {
    const places = linePlaces(bytes, sum.lines + 1)
    const { answers, accepted, rejected } = await makePortion(bytes, places, {
      user: then,
      observedAt: request.startedAt,
      idsOf: () => identifiers,
      isLimited: limited,
      isDurable: null,
      encode: () => Buffer.alloc(0),
    })
    sum.lines = places.last
    sum.count += places.count
    sum.accepted += accepted
    sum.rejected += rejected
    writer.write(answers)
  }

  return {
    async compare(waitMs) {
      while (mark.bytes < request.bytes) {
        const left = request.bytes - mark.bytes
        if (waitMs !== undefined && !writer.hasRoom()) return 'unsure'
        await writer.room()
        const next = await lines.next(Math.min(PORTION, left), waitMs)
        if (next.kind === 'waiting') return 'unsure'
        if (next.kind === 'cut' || next.kind === 'late') return next.kind
        if (next.kind !== 'lines' || next.bytes.length > left) return 'other'
        mark = held.add(next.bytes)
        if (mark.bytes === request.bytes && !mark.digest.equals(request.digest)) return 'other'
        await answer(next.bytes)
      }
      if (!request.finished) return 'same'
      const next = await lines.next(PORTION, waitMs)
      if (next.kind === 'waiting') return 'unsure'
      if (next.kind === 'cut' || next.kind === 'late') return next.kind
      return next.kind === 'end' ? 'same' : 'other'
    },
    answered: () => ({ ...sum }),
  }
}

/** Whether a line is in one of the ranges; asked for lines in rising order. */
function rangesOf(ranges: readonly [first: number, last: number][]): (line: number) => boolean {
  let at = 0
  return (line) => {
    while (at < ranges.length && ranges[at]![1] < line) at++
    return at < ranges.length && ranges[at]![0] <= line
  }
}

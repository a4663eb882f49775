/** Memory for the rest of bodies that are read before they are answered (decisions 18.1). */

import type { LineStream } from '../../../http/bodies/line-stream.ts'

export type ReadAhead = {
  /** Reads the rest of the body into memory, now or when another stream has given its place back. */
  begin(): void
  /** The stream is over: gives the place to the next one that waits. */
  end(): void
}

/**
 * Many clients read nothing before they have sent everything. When no more answers have room, the rest of the body is read
 * into memory: then the client reads, and the answers go on. A stream keeps its place until it ends, as it may hold as
 * much until then.
 * @param most streams at once
 */
export function readsAhead(most: number): (lines: Pick<LineStream, 'readAhead'>) => ReadAhead {
  const waiting = new Set<() => void>()
  let taken = 0
  return (lines) => {
    let has = false
    const take = (): void => {
      taken++
      has = true
      lines.readAhead()
    }
    return {
      begin() {
        if (has) return
        if (taken < most) take()
        else waiting.add(take)
      },
      end() {
        waiting.delete(take)
        if (!has) return
        has = false
        taken--
        const [next] = waiting
        if (next === undefined) return
        waiting.delete(next)
        next()
      },
    }
  }
}

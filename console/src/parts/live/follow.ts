import { asProblem, type Problem } from '../../api/problem.ts'
import { type ChangeEvent, readEvent } from './events.ts'
import { linesOf } from './lines.ts'

/**
 * `behind`: what happened until now is still being told. `waiting`: cut off, and about to try again. `refused`: there is
 * no place for another stream; it is tried again too. `stopped`: it is not tried again.
 */
export type FollowState = 'connecting' | 'behind' | 'live' | 'waiting' | 'refused' | 'stopped'

export type FollowPorts = {
  /** The body of the stream that goes on behind `since`; null: from now on. Throws a `Problem`. */
  open(since: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

export type FollowOptions = {
  since: string | null
  signal: AbortSignal
  onChange(change: ChangeEvent): void
  /** `problem`: of `waiting`, `refused` and `stopped`. */
  onState(state: FollowState, problem: Problem | null): void
  /** The place to go on from. null: what is known must be read anew. */
  onCursor(cursor: string | null): void
}

const FIRST_MS = 1_000
const MOST_MS = 30_000
/** A stream without a place: the one that was just closed is given back within seconds. */
const PLACE_MS = 3_000

/** Milliseconds before try `n` (from 1): twice as long each time, and never sooner than the platform asks for. */
export const pauseBefore = (n: number, { status, retryAfter }: Pick<Problem, 'status' | 'retryAfter'>): number =>
  Math.max(
    Math.min(MOST_MS, (status === 429 ? PLACE_MS : FIRST_MS) * 2 ** Math.min(n - 1, 10)),
    1_000 * (retryAfter ?? 0),
  )

/** Refusals that repeat for as long as the request is the same. */
const isFinal = ({ status }: Problem): boolean =>
  status >= 400 && status < 500 && ![408, 410, 425, 429].includes(status)

/**
 * Follows the changes until the signal aborts: after a cut, and after `lagging`, it goes on from the last cursor, later each
 * time that nothing came. Repeats are not told apart. A cursor that is too old is given up, and `onCursor(null)` says that changes were missed.
 */
export async function follow(ports: FollowPorts, options: FollowOptions): Promise<void> {
  const { signal, onChange, onState, onCursor } = options
  let cursor = options.since
  let failures = 0
  /** A stream that told something ends the row of failures. */
  const told = (next: string): void => {
    cursor = next
    failures = 0
    onCursor(next)
  }
  while (!signal.aborted) {
    onState('connecting', null)
    let problem: Problem | null = null
    try {
      const body = await ports.open(cursor, signal)
      onState('behind', null)
      for await (const line of linesOf(body)) {
        if (signal.aborted) return
        const event = readEvent(line)
        if (event === null) continue
        told(event.cursor)
        if (event.event === 'change') onChange(event.data)
        if (event.event === 'caught-up') onState('live', null)
      }
    } catch (thrown) {
      if (signal.aborted) return
      problem = asProblem(thrown)
    }
    if (signal.aborted) return
    if (problem?.status === 410) {
      cursor = null
      onCursor(null)
      continue
    }
    if (problem !== null && isFinal(problem)) return onState('stopped', problem)
    failures++
    onState(problem?.status === 429 ? 'refused' : 'waiting', problem)
    await ports.pause(pauseBefore(failures, problem ?? { status: 0, retryAfter: null }), signal)
  }
}

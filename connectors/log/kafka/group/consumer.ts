import { pause } from '../../../../platform/pause.ts'
import { pauseAfter, retry } from '../../../../platform/retry.ts'
import type { Consumer } from '../../port.ts'
import { mayRejoin } from '../retry.ts'
import { joinGroup, type Membership, type MembershipPorts } from './membership.ts'
import { MembershipLost } from './membership-lost.ts'

/** Milliseconds before another membership: a coordinator is found within seconds after a broker went away. */
const PAUSES_MS = [100, 250, 500, 1_000, 2_000, 5_000]
/** How long the first membership is tried, milliseconds: a broker that has just started reads what it knows of groups. */
const FIRST_MS = 10_000
/** Some minutes without one committed range: what does not help then may be in this process, which is started again. */
const MAX_LOST = 60
/** Milliseconds of a membership that show that the last end was not one of a series. */
const STEADY_MS = 60_000
/** How long a member may stand still, milliseconds: longer each time that it did not help to begin anew. */
const STALL_MS = 20_000
const MAX_STALL_MS = 10 * 60_000

export type ConsumerPorts = Omit<MembershipPorts, 'progress' | 'signal'> & {
  /** A membership has ended by no fault of its consumer, and another one begins. */
  onLost?: ((news: { group: string; reason: string }) => void) | undefined
}

/**
 * Consumes as a member of a group, and as another one wherever a membership is lost: by a broker that goes away, a
 * coordinator that moves, a leader that is not heard, a client that stands still (ADR 253). Resolves once it has joined;
 * rejects with what kept it from joining, no batch handed out.
 */
export async function consumeKafka({ onLost, ...ports }: ConsumerPorts): Promise<Consumer> {
  const { group } = ports.options
  const stopping = new AbortController()
  const { signal } = stopping
  /** Memberships that were lost one after another, and committed nothing. */
  let lost = 0

  const join = (): Promise<Membership> =>
    joinGroup({ ...ports, signal, progress: { patienceMs: Math.min(STALL_MS * 2 ** lost, MAX_STALL_MS) } })
  const isLost = (error: unknown): error is MembershipLost => error instanceof MembershipLost && mayRejoin(error)

  /** Until it is stopped, or ends by what no other membership helps against. */
  async function follow(first: Membership): Promise<void> {
    for (let member: Membership | null = first; member !== null; ) {
      const began = performance.now()
      try {
        return await member.closed
      } catch (error) {
        const steady = performance.now() - began > STEADY_MS || member.commits() > 0
        lost = steady ? 1 : lost + 1
        member = await next(error)
      }
    }
  }

  /** Another membership after one that ended by `error`; null once it is stopped. */
  async function next(error: unknown): Promise<Membership | null> {
    if (signal.aborted) return null
    if (!isLost(error) || lost > MAX_LOST) throw error
    onLost?.({ group, reason: error.message })
    await pause(pauseAfter(lost, PAUSES_MS), signal)
    if (signal.aborted) return null
    try {
      return await join()
    } catch (failure) {
      lost++
      return next(failure)
    }
  }

  const first = await retry(join, { pausesMs: PAUSES_MS, forMs: FIRST_MS, shouldRetry: isLost }).catch((error) => {
    throw error instanceof MembershipLost && error.cause !== undefined ? error.cause : error
  })
  const closed = follow(first)
  closed.catch(() => undefined)
  return {
    closed,
    async stop() {
      stopping.abort()
      await closed.catch(() => undefined)
    },
  }
}

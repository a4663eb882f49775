/** Bodies that were refused take time all the same: whoever sends one after the other waits (decisions 1.5; ADR 254). */

import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'

export type RefusedWork = {
  /** Called before a body is read. Throws 429 with the time to wait once its sender has used what it may. */
  admit(sender: string): void
  /** A body of that sender was refused after so many bytes, and so many milliseconds of checks. */
  add(sender: string, bytes: number, ms: number): void
}

type Options = { now?: () => number }

/** Senders that are remembered; whoever sent least recently is forgotten first. */
const MAX_SENDERS = 10_000
/** Milliseconds of the event loop that a sender may use up for nothing, and how many it gets back in a second. */
const MOST_MS = 500
/** Nobody waits longer than ten seconds, whatever was sent. */
const MOST_DEBT_MS = 1_000
const BACK_A_SECOND = 50
/** What it takes to read and parse a byte, in milliseconds: 20 for a mebibyte. */
const MS_A_BYTE = 20 / (1024 * 1024)

/** Of this process alone: several of them allow that many times more, each in its own time. */
export function refusedWork({ now = () => performance.now() }: Options = {}): RefusedWork {
  const debts = new LRUCache<string, { ms: number; at: number }>({ max: MAX_SENDERS })

  const debtOf = (sender: string): number => {
    const known = debts.get(sender)
    return known === undefined ? 0 : Math.max(0, known.ms - ((now() - known.at) * BACK_A_SECOND) / 1_000)
  }

  return {
    admit(sender) {
      const over = debtOf(sender) - MOST_MS
      if (over >= 0) {
        const message = 'too many bodies of yours were refused; correct them, and retry in a moment'
        throw new ApiError('rate_limited', { message, retryAfter: Math.floor(over / BACK_A_SECOND) + 1 })
      }
    },
    add(sender, bytes, ms) {
      debts.set(sender, { ms: Math.min(MOST_DEBT_MS, debtOf(sender) + ms + bytes * MS_A_BYTE), at: now() })
    },
  }
}

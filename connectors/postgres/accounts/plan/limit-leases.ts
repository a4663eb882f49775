/**
 * Limits that cost a query only now and then: a process borrows units of a window from the store and admits requests
 * out of what it holds. What is lent counts as taken, so the limit holds whatever happens to a borrower; ADR 277.
 */

import { type CounterRows, SHARE } from './limit-counters.ts'
import type { Counter, LimitState, Limits } from './port.ts'

/** A loan that was used up faster than this is followed by one of twice the size; what is left after twice as long goes back. */
const LOAN_MS = 250

/** Units of one loan. What a process has in its hands, a quarter more at most, is lost to others until the window ends if it dies. */
const MAX_LOAN = 1_000

/**
 * A refusal is cached for this long before the store is queried again, so that clients that keep retrying cost no
 * queries.
 */
const REFUSED_MS = 100

/** A loan of so many units and more is followed by the next one before it is used up: when a quarter of it is left. */
const LARGE_LOAN = 8
const LOW = 0.25

type WaitingTake = { units: number; resolve: (state: LimitState) => void; reject: (error: unknown) => void }

type Lease = {
  counter: Counter
  limit: number
  /** Units in hand. */
  held: number
  /** What the store has given out to all processes, as of the last answer. */
  granted: number
  wish: number
  borrowedAt: number
  usedAt: number
  refusedAt: number
  /** The fewest units that were refused lately. */
  refusedUnits: number
  queue: WaitingTake[]
  borrowing: boolean
}

export type LimitLeases = Limits & {
  /**
   * Gives back what lies still and forgets windows that are over: to be called a few times a second while there are any.
   * Returns how many are left.
   */
  sweep(): Promise<number>
  /** Gives everything back. Nothing may be taken afterwards. */
  close(): Promise<void>
}

/**
 * `now` in Unix milliseconds.
 * @param onLease called for each window that is new here: from now on there is something to sweep
 */
export function limitLeases(rows: CounterRows, now: () => number, onLease: () => void = () => undefined): LimitLeases {
  const leases = new Map<string, Lease>()
  const ahead = new Set<Promise<void>>()

  const leaseOf = (counter: Counter, limit: number | null): Lease => {
    const key = keyOf(counter)
    let lease = leases.get(key)
    if (lease === undefined) {
      const times = { borrowedAt: -Infinity, usedAt: now(), refusedAt: -Infinity, refusedUnits: Infinity }
      lease = { counter, limit: limit ?? 0, held: 0, granted: 0, wish: 1, ...times, queue: [], borrowing: false }
      leases.set(key, lease)
      onLease()
    }
    // Another tier: what was borrowed under the old limit is not admitted under the new one.
    if (limit !== null && lease.limit !== limit && lease.queue.length === 0) {
      lease.limit = limit
      lease.refusedAt = -Infinity
      giveBackHeld(lease).catch(() => undefined)
    }
    return lease
  }

  /** Units whose return fails lapse with their window. */
  const giveBackHeld = async (lease: Lease): Promise<void> => {
    const units = lease.held
    if (units === 0) return
    lease.held = 0
    lease.granted -= units
    await rows.takeBack(lease.counter, units)
  }

  /** Takes a loan into the hand. Returns how many units it has. */
  const lend = async (lease: Lease, need: number): Promise<number> => {
    const at = now()
    lease.wish = nextWish(lease.wish, at - lease.borrowedAt)
    lease.borrowedAt = at
    const loan = await rows.lend(lease.counter, lease.limit, need, lease.wish)
    const units = loan?.units ?? 0
    lease.held += units
    lease.granted = loan?.granted ?? Math.max(lease.limit, lease.granted)
    return units
  }

  const borrow = async (lease: Lease): Promise<void> => {
    lease.borrowing = true
    try {
      while (lease.queue.length > 0) {
        const need = lease.queue.reduce((sum, { units }) => sum + units, 0) - lease.held
        if (need > 0) {
          const exhausted = (await lend(lease, need)) < need
          if (exhausted) noteRefusal(lease, now())
          serveQueue(lease, exhausted)
          // Too few for a request of many units: at once back to those who need less.
          if (exhausted) await giveBackHeld(lease)
        } else serveQueue(lease, false)
      }
    } catch (error) {
      for (const { reject } of lease.queue.splice(0)) reject(error)
    } finally {
      lease.borrowing = false
    }
  }

  /** The next loan of a busy caller, which no request waits for. When it fails, the next request borrows, and is told. */
  const borrowAhead = (lease: Lease): void => {
    lease.borrowing = true
    const { limit } = lease
    const loan = lend(lease, 1)
      // Another tier meanwhile.
      .then(() => (lease.limit === limit ? undefined : giveBackHeld(lease)))
      .catch(() => undefined)
      .finally(() => {
        ahead.delete(loan)
        lease.borrowing = false
        if (lease.queue.length > 0) void borrow(lease)
      })
    ahead.add(loan)
  }

  return {
    async take(counter, limit, units) {
      const lease = leaseOf(counter, limit)
      const at = now()
      lease.usedAt = at
      if (lease.held >= units && lease.queue.length === 0) {
        lease.held -= units
        if (isLow(lease, at)) borrowAhead(lease)
        return limitState(lease, true)
      }
      // More than there ever are: the store would lend all that is left, and others found nothing for that moment.
      if (units > limit) return limitState(lease, false)
      // A request of fewer units than those that were refused may find room.
      const refused = at - lease.refusedAt < REFUSED_MS && units >= lease.refusedUnits
      if (refused && !lease.borrowing) return limitState(lease, false)
      return new Promise((resolve, reject) => {
        lease.queue.push({ units, resolve, reject })
        if (!lease.borrowing) void borrow(lease)
      })
    },

    giveBack(counter, units) {
      const lease = leaseOf(counter, null)
      lease.held += units
      lease.granted = Math.max(lease.granted, lease.held)
    },

    async usage(subject, at) {
      // What is on its way here counts as lent, and is in no hand yet.
      await Promise.all(ahead)
      const found = await rows.usage(subject, at)
      return found.map((row) => {
        const held = leases.get(keyOf({ ...row, subject, end: 0 }))?.held ?? 0
        return { ...row, used: Math.max(0, row.used - held) }
      })
    },

    async sweep() {
      const at = now()
      for (const [key, lease] of leases) {
        if (lease.borrowing || at - lease.borrowedAt < 2 * LOAN_MS) continue
        if (at - lease.usedAt >= 2 * LOAN_MS) leases.delete(key)
        if (lease.counter.end > at) await giveBackHeld(lease)
      }
      return leases.size
    },

    async close() {
      await Promise.all(ahead)
      for (const lease of leases.values()) await giveBackHeld(lease)
      leases.clear()
    },
  }
}

const limitState = (lease: Lease, admitted: boolean): LimitState => ({ admitted, used: lease.granted - lease.held })

/** Whether a caller uses up its loan, and the next one is due. */
const isLow = ({ held, wish, granted, limit, borrowing, borrowedAt }: Lease, at: number): boolean =>
  !borrowing &&
  wish >= LARGE_LOAN &&
  held < wish * LOW &&
  // Near the end units are borrowed for those alone who ask.
  limit - granted > limit / SHARE &&
  at - borrowedAt < 2 * LOAN_MS

/** Answers waiting requests out of the units in hand, oldest first; `last`: those that need more units are refused. */
function serveQueue(lease: Lease, last: boolean): void {
  lease.queue = lease.queue.filter(({ units, resolve }) => {
    if (lease.held < units && !last) return true
    const admitted = lease.held >= units
    if (admitted) lease.held -= units
    else lease.refusedUnits = Math.min(lease.refusedUnits, units)
    resolve(limitState(lease, admitted))
    return false
  })
}

function noteRefusal(lease: Lease, at: number): void {
  if (at - lease.refusedAt >= REFUSED_MS) lease.refusedUnits = Infinity
  lease.refusedAt = at
}

/** Callers that are far apart borrow one unit each; a busy process borrows for about a quarter of a second ahead. */
function nextWish(wish: number, age: number): number {
  if (age >= 2 * LOAN_MS) return 1
  return age < LOAN_MS ? Math.min(MAX_LOAN, wish * 2) : wish
}

/** No part holds a space: names are path segments, ids are UUIDs and addresses. */
const keyOf = ({ subject, service, featureKey, window, start }: Counter): string =>
  `${subject.type} ${subject.id} ${service} ${featureKey} ${window} ${start}`

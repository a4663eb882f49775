import type { Subscription, Subscriptions } from './port.ts'

/** How long a change of tier may go unseen where limits are enforced; a busy customer costs four queries a second. */
const FRESH_MS = 250

const MAX_REMEMBERED = 10_000

/** Subscriptions remembered for a moment; callers at the same time share one question. `now` in milliseconds. */
export function cachedSubscriptions(subscriptions: Subscriptions, now: () => number): Subscriptions {
  const remembered = new Map<string, { answer: Promise<Subscription | null>; at: number }>()

  const ask = (customerId: string): Promise<Subscription | null> => {
    remembered.delete(customerId)
    if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    const answer = subscriptions.of(customerId)
    remembered.set(customerId, { answer, at: now() })
    answer.catch(() => remembered.delete(customerId))
    return answer
  }

  return {
    of: ask,
    recent(customerId) {
      const known = remembered.get(customerId)
      return known !== undefined && now() - known.at < FRESH_MS ? known.answer : ask(customerId)
    },
  }
}

/** Callers that wait until a list changes: all of them are looked after by one question (decisions 11.3). */

import type { FeedStates } from '../../../connectors/history/feeds-out/port.ts'

/** How often lists are looked at. A step shows within 5 s of its record. */
const LOOK_MS = 500
/** More are answered at once. */
const MAX_WAITING = 10_000

export type Waiting = {
  /**
   * For a feed that has a list. Resolves when the list is past a sequence or is there no more, after `ms`, when the caller
   * is gone, or the store is away.
   */
  until(feed: string, past: number, ms: number, gone: AbortSignal): Promise<void>
}

export function waiting(states: Pick<FeedStates, 'statesOf'>, lookMs = LOOK_MS): Waiting {
  const waiters = new Set<{ feed: string; past: number; leave: () => void }>()
  let looking = false

  async function look(): Promise<void> {
    const feeds = [...new Set([...waiters].map(({ feed }) => feed))]
    const found = await states.statesOf(feeds).catch(() => null)
    const isOver = (feed: string, past: number): boolean => {
      const list = found?.get(feed)
      return list === undefined || list.sequence > past
    }
    for (const { feed, past, leave } of [...waiters])
      if (found === null || (feeds.includes(feed) && isOver(feed, past))) leave()
    looking = waiters.size > 0
    if (looking) setTimeout(() => void look(), lookMs)
  }

  return {
    until: (feed, past, ms, gone) =>
      new Promise((resolve) => {
        if (gone.aborted || waiters.size >= MAX_WAITING) return resolve()
        const leave = (): void => {
          waiters.delete(waiter)
          clearTimeout(end)
          gone.removeEventListener('abort', leave)
          resolve()
        }
        const end = setTimeout(leave, ms)
        const waiter = { feed, past, leave }
        waiters.add(waiter)
        gone.addEventListener('abort', leave, { once: true })
        if (looking) return
        looking = true
        setTimeout(() => void look(), lookMs)
      }),
  }
}

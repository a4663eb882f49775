import { LRUCache } from 'lru-cache'

export type PromiseCacheOptions = {
  /** Entries, at most. When it is full, the least recently used entry goes first. */
  max: number
  /** Milliseconds for which an entry is fresh, counted from the start of its load. */
  ttlMs: number
  /** Milliseconds of any clock. */
  now: () => number
  /** A load that takes longer than `ttlMs` is shared until it ends, and fresh for as long again, at most so long. */
  slowMs?: number
}

export type PromiseCache<T> = {
  /** The entry of `key` while it is fresh, else what `load` gives. Calls at the same time share one load. */
  get(key: string, load: () => Promise<T>): Promise<T>
  /** Loads in any case; `get` then has the new entry. */
  refresh(key: string, load: () => Promise<T>): Promise<T>
}

/**
 * Answers of slow questions, kept for a while. A load that fails is not kept. The times are compared here, as the package
 * takes a lifetime of 0 for "for ever" and a start at 0 for "no start" (ADR 285).
 */
export function promiseCache<T>({ max, ttlMs, now, slowMs }: PromiseCacheOptions): PromiseCache<T> {
  const entries = new LRUCache<string, { until: number; answer: Promise<T> }>({ max })

  function refresh(key: string, load: () => Promise<T>): Promise<T> {
    const began = now()
    const entry = { until: slowMs !== undefined ? Number.POSITIVE_INFINITY : began + ttlMs, answer: load() }
    entries.set(key, entry)
    const keep = (): void => {
      const ended = now()
      entry.until = Math.max(began + ttlMs, ended + Math.min(ended - began, slowMs ?? 0))
    }
    if (slowMs !== undefined) entry.answer.then(keep, keep)
    // A later entry of the same key stays.
    entry.answer.catch(() => entries.peek(key) === entry && entries.delete(key))
    return entry.answer
  }

  return {
    get(key, load) {
      const entry = entries.get(key)
      return entry !== undefined && now() < entry.until ? entry.answer : refresh(key, load)
    },
    refresh,
  }
}

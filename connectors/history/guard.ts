import { StoreSlow, StoreUnavailable } from '../availability/port.ts'
import { type AvailabilityOptions, watchAvailability } from '../availability/watch.ts'
import type { History, Query } from './port.ts'
import { mayPass, tookTooLong } from './store-errors.ts'

const NAME = 'the history store'

export type GuardOptions = {
  /** Where the store answers `/ping`, with no credentials. */
  url: string
  /** Longest time of one read, whatever the store says of itself; above the limit that the store keeps. */
  longestMs: number
} & Pick<AvailabilityOptions, 'onChange' | 'busy'>

/**
 * The same history, whose reads fail soon with `StoreUnavailable` while the store is away, refuses connections or hangs,
 * instead of waiting for it (ADR 281); in every database of it. Reads of a store that is there take the time they take;
 * past the time of a question they fail with `StoreSlow`. Writes are not guarded: their callers retry.
 */
export function guardReads(history: History, { url, longestMs, ...options }: GuardOptions): History {
  const ping = async (signal: AbortSignal): Promise<void> => {
    const answer = await fetch(new URL('/ping', url), { signal })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the ping was answered with status ${answer.status}`)
  }
  const availability = watchAvailability({ name: NAME, ping, ...options })

  const over = (one: History): History => ({
    ...one,
    async query<Row>(query: Query, given?: AbortSignal) {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new StoreSlow(NAME, 'does not complete a read')), longestMs)
      const bound = given === undefined ? late.signal : AbortSignal.any([given, late.signal])
      try {
        return await availability.during((signal) => one.query<Row>(query, signal), bound)
      } catch (error) {
        if (tookTooLong(error))
          throw new StoreSlow(NAME, 'did not finish the query within its time limit', { cause: error })
        if (mayPass(error)) throw new StoreUnavailable(NAME, 'cannot be reached', { cause: error })
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    async stream(query, format, given) {
      try {
        // From then on its reader sees that it ends too early.
        return await availability.during((signal) => {
          const bound = given === undefined ? signal : AbortSignal.any([given, signal])
          return one.stream(query, format, bound)
        }, given)
      } catch (error) {
        if (mayPass(error)) throw new StoreUnavailable(NAME, 'cannot be reached', { cause: error })
        throw error
      }
    },
    at: (database) => over(one.at(database)),
    close() {
      availability.close()
      return one.close()
    },
  })
  return over(history)
}

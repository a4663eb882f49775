import { setImmediate as others } from 'node:timers/promises'
import { StoreSlow } from '../../../../connectors/availability/port.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { isBadPattern, isTooExpensive } from '../../../../connectors/history/sql/query-errors.ts'
import { TooManyBuckets } from '../../../../connectors/history/sql/search/aggregate/aggregation-bounds.ts'
import { ApiError, failure, invalid } from '../../../http/errors.ts'
import { fairQueue, type QueueBounds } from '../fair-queue.ts'
import { PageTooDeep } from '../page-depth.ts'

/** Heavy searches have turns of their own, so that light ones never wait behind them (ADR 272). */
export type Weight = 'light' | 'heavy'

export type StatementBounds = QueueBounds & {
  /** Of one query in the store. */
  threads: number
  /** Of its threads, from 0 to 19, where the store may set it: a higher one has a smaller share of a busy processor. */
  nice: number
}

export type SearchBounds = Record<Weight, StatementBounds> & {
  /** From its turn to its answer. The store stops a query by itself while it runs, but not while it is being planned. */
  milliseconds: number
}

/** What asks the store in a search; `signal` is its own business. */
export type Ask = Pick<History, 'query'>

/** `caller` takes turns with the others; `gone` says that it went away. */
export type SearchOf = { caller: string; weight: Weight; gone: AbortSignal }

const settingsOf = ({ threads, nice }: StatementBounds): string =>
  `max_threads = ${threads}${nice === 0 ? '' : `, os_thread_priority = ${nice}`}`

/**
 * Runs advanced searches within bounds (docs/use/search.md, Bounds): what `search` asks is stopped when the caller goes away
 * or the time is over. Throws ApiError `busy`, `query_timeout`, `query_too_expensive`, `invalid_parameter` for a pattern
 * that the store cannot read, and `search_failed` for anything else that is no ApiError (ADR 272).
 */
export function boundedSearches(history: Pick<History, 'query'>, bounds: SearchBounds) {
  const queues = { light: fairQueue(bounds.light), heavy: fairQueue(bounds.heavy) }
  return async <T>(search: (ask: Ask) => Promise<T>, { caller, weight, gone }: SearchOf): Promise<T> => {
    const late = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const stop = AbortSignal.any([gone, late.signal])
    const ask: Ask = {
      query: ({ sql, params }) =>
        history.query({ sql: `${sql}\nSETTINGS ${settingsOf(bounds[weight])}`, params }, stop),
    }
    try {
      return await queues[weight].use(
        async () => {
          timer = setTimeout(() => late.abort(), bounds.milliseconds)
          // To read a heavy search took a while already, and to write its query takes another: other requests go between.
          if (weight === 'heavy') await others()
          return search(ask)
        },
        caller,
        gone,
      )
    } catch (thrown) {
      throw refusal(thrown, gone, late.signal)
    } finally {
      clearTimeout(timer)
    }
  }
}

export type RunSearch = ReturnType<typeof boundedSearches>

function refusal(thrown: unknown, gone: AbortSignal, late: AbortSignal): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (gone.aborted) return new ApiError('malformed_request', { message: 'the client disconnected' }, { cause: thrown })
  if (late.aborted || thrown instanceof StoreSlow) return new ApiError('query_timeout', {}, { cause: thrown })
  if (isTooExpensive(thrown)) return new ApiError('query_too_expensive', {}, { cause: thrown })
  if (thrown instanceof TooManyBuckets)
    return new ApiError('query_too_expensive', { message: thrown.message, param: 'aggs' })
  if (thrown instanceof PageTooDeep) return invalid('page', thrown.message)
  if (isBadPattern(thrown)) return invalid('query', 'contains a pattern that is not valid RE2 syntax')
  return failure('search_failed', thrown)
}

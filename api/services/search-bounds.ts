import type { History } from '../../connectors/history/port.ts'
import { costTooMuch, isBadPattern, TooManyBuckets } from '../../connectors/history/queries/search.ts'
import { ApiError, failure, invalid } from '../errors.ts'
import { ReachExceeded } from './reach.ts'
import { type TurnBounds, turns } from './turns.ts'

export type SearchBounds = TurnBounds & {
  /** Of one query in the store. */
  threads: number
  /** From its turn to its answer. The store stops a query by itself while it runs, but not while it is being planned. */
  milliseconds: number
}

/** What asks the store in a search; `signal` is its own business. */
export type Ask = Pick<History, 'query'>

/**
 * Runs advanced searches within bounds (docs/search.md, Bounds): what `search` asks is stopped when the caller goes away
 * or the time is over. `caller` is whoever takes turns with the others. Throws ApiError `busy`, `query_too_expensive`, `invalid_parameter` for a pattern that the store
 * cannot read, and `search_failed` for anything else that is no ApiError.
 */
export function boundedSearches(history: Pick<History, 'query'>, bounds: SearchBounds) {
  const { use } = turns(bounds)
  return async <T>(search: (ask: Ask) => Promise<T>, caller: string, gone: AbortSignal): Promise<T> => {
    const late = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const stop = AbortSignal.any([gone, late.signal])
    const ask: Ask = {
      query: ({ sql, params }) =>
        history.query({ sql: `${sql}\nSETTINGS max_threads = ${bounds.threads}`, params }, stop),
    }
    try {
      return await use(
        () => {
          timer = setTimeout(() => late.abort(), bounds.milliseconds)
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
  if (gone.aborted) return new ApiError('malformed_request', { message: 'the client went away' }, { cause: thrown })
  if (late.aborted || costTooMuch(thrown)) return new ApiError('query_too_expensive', {}, { cause: thrown })
  if (thrown instanceof TooManyBuckets)
    return new ApiError('query_too_expensive', { message: thrown.message, param: 'aggs' })
  if (thrown instanceof ReachExceeded) return invalid('page', thrown.message)
  if (isBadPattern(thrown)) return invalid('query', 'holds a pattern that is not RE2 syntax')
  return failure('search_failed', thrown)
}

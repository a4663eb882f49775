/** State of the platform for administrators, and their actions on it. */

import type { FeedStates } from '../../../connectors/history/feeds-out/port.ts'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import {
  BadSelection,
  type DeadLetterQuery,
  type DeadLetters,
  type HandledDeadLetters,
} from '../../../connectors/operations/dead-letters/port.ts'
import { GROUPS } from '../../../schemas/log/topics.ts'
import { aloneIn, type BreakerState, closedBreaker } from '../../../schemas/operation/breaker.ts'
import { letterPlace } from '../../../schemas/operation/dead-letter.ts'
import { ApiError, invalid } from '../../http/errors.ts'

type Ports = {
  deadLetters: DeadLetters
  breakers: Breakers
  feedStates: Pick<FeedStates, 'held'>
  now: () => number
}

/** How much waits for an operator. `heldFeeds`: by their guards; null: the history store does not answer. */
export type Waiting = { deadLetters: number; breakers: number; isolatedSources: number; heldFeeds: number | null }

/** Turns a bad selection into a 400 that names `param`. */
const withParam = async <T>(param: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof BadSelection ? invalid(param, error.message) : error
  }
}

export function operationService({ deadLetters, breakers, feedStates, now }: Ports) {
  const existing = (ids: readonly string[]): readonly string[] => {
    const wrong = ids.findIndex((id) => letterPlace(id) === null)
    if (wrong >= 0) throw invalid(`ids[${wrong}]`, 'is not the id of a dead letter')
    return ids
  }
  return {
    letters: (query: DeadLetterQuery) =>
      withParam(query.after === undefined ? 'topic' : 'after', deadLetters.list(query)),
    async letter(id: string) {
      const letter = await deadLetters.show(id)
      if (letter === null) throw new ApiError('not_found')
      return letter
    },
    replay: (ids: readonly string[], by: string): Promise<HandledDeadLetters> =>
      deadLetters.replay({ ids: existing(ids) }, by),
    drop: (ids: readonly string[], note: string, by: string): Promise<HandledDeadLetters> =>
      deadLetters.drop({ ids: existing(ids) }, by, note),
    /** Breakers of all groups, also those that were never open, each followed by the isolated sources of its group. */
    async breakers(): Promise<(BreakerState | { group: string; source: null; open: false })[]> {
      const states = await breakers.list()
      return GROUPS.flatMap((group) => {
        const whole = states.find((state) => state.group === group && state.source === null)
        return [whole ?? { group, source: null, open: false as const }, ...aloneIn(states, group)]
      })
    },
    async waiting(): Promise<Waiting> {
      const [letters, states, held] = await Promise.all([
        deadLetters.waiting(),
        breakers.list(),
        // What the log knows is told all the same.
        feedStates.held().catch(() => null),
      ])
      const open = states.filter((state) => state.open)
      return {
        deadLetters: [...letters.values()].reduce((sum, of) => sum + of, 0),
        breakers: open.filter(({ source }) => source === null).length,
        isolatedSources: open.filter(({ source }) => source !== null).length,
        heldFeeds: held?.guard ?? null,
      }
    },
    /** Throws a 404 for a group that there is not, a 409 when there is nothing to close and nothing to allow. */
    async close(group: string, source: string | null, allow: number, by: string): Promise<BreakerState> {
      if (!GROUPS.includes(group)) throw new ApiError('not_found')
      const states = await breakers.list()
      const open = states.some((state) => state.group === group && state.source === source && state.open)
      if (!open && (allow === 0 || source !== null)) {
        const message =
          source === null
            ? `the circuit breaker of ${group} is not open`
            : `the source ${source} is not isolated in ${group}`
        throw new ApiError('conflict', { message })
      }
      const closed = closedBreaker(group, by, now(), source === null ? allow : 0, source)
      await breakers.set(closed)
      return closed
    },
  }
}

export type OperationService = ReturnType<typeof operationService>

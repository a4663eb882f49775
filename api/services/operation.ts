/** What administrators see of the platform's own state, and do about it. */

import type { Breakers } from '../../connectors/breakers/port.ts'
import { BadSelection, type DeadLetters, type Handled, type LetterQuery } from '../../connectors/dead-letters/port.ts'
import { type BreakerState, closedBreaker } from '../../schemas/breaker.ts'
import { GROUPS } from '../../schemas/consumers.ts'
import { letterPlace } from '../../schemas/dead-letter.ts'
import { ApiError, invalid } from '../errors.ts'

type Ports = { deadLetters: DeadLetters; breakers: Breakers; now: () => number }

/** Errors of a selection are the caller's, by the name of the parameter. */
const asked = async <T>(param: string, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof BadSelection ? invalid(param, error.message) : error
  }
}

export function operationService({ deadLetters, breakers, now }: Ports) {
  const existing = (ids: readonly string[]): readonly string[] => {
    const wrong = ids.findIndex((id) => letterPlace(id) === null)
    if (wrong >= 0) throw invalid(`ids[${wrong}]`, 'is not the id of a dead letter')
    return ids
  }
  return {
    letters: (query: LetterQuery) => asked(query.after === undefined ? 'topic' : 'after', deadLetters.list(query)),
    async letter(id: string) {
      const letter = await deadLetters.show(id)
      if (letter === null) throw new ApiError('not_found')
      return letter
    },
    replay: (ids: readonly string[], by: string): Promise<Handled> => deadLetters.replay({ ids: existing(ids) }, by),
    drop: (ids: readonly string[], note: string, by: string): Promise<Handled> =>
      deadLetters.drop({ ids: existing(ids) }, by, note),
    /** Every group, also those whose breaker was never open. */
    async breakers(): Promise<(BreakerState | { group: string; open: false })[]> {
      const known = new Map((await breakers.list()).map((state) => [state.group, state]))
      return GROUPS.map((group) => known.get(group) ?? { group, open: false as const })
    },
    /** Throws a 404 for a group that there is not, a 409 when there is nothing to close and nothing to allow. */
    async close(group: string, allow: number, by: string): Promise<BreakerState> {
      if (!GROUPS.includes(group)) throw new ApiError('not_found')
      const state = await breakers.state(group)
      if (!state?.open && allow === 0)
        throw new ApiError('conflict', { message: `the breaker of ${group} is not open` })
      const closed = closedBreaker(group, by, now(), allow)
      await breakers.set(closed)
      return closed
    },
  }
}

export type OperationService = ReturnType<typeof operationService>

/** Live streams over a database and, beside it, over that of another process; for their suites. */

import { randomBytes, randomUUID } from 'node:crypto'
import type { Subject } from '../../../connectors/postgres/accounts/plan/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyStreamPlaces } from '../../../connectors/postgres/live/stream-places.ts'
import { kyselyLiveTickets } from '../../../connectors/postgres/live/stream-tickets.ts'
import { peopleOf } from '../../builders/accounts/team.ts'

/** Long before the other tests of the same server: what is swept here is not theirs. */
export const NOW = 1_500_000_000_000
export const LEASE = 30_000

export const subject = (type: Subject['type'] = 'customer'): Subject => ({ type, id: randomUUID() })

/** `count` calls at once. */
export const times = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

export function liveWorld(database: AccountsDatabase, another: AccountsDatabase) {
  const [places, placesThere] = [kyselyStreamPlaces(database.db), kyselyStreamPlaces(another.db)]
  const [tickets, ticketsThere] = [kyselyLiveTickets(database.db), kyselyLiveTickets(another.db)]
  return {
    people: peopleOf(database),
    places,
    tickets,
    /** Those of one process and of the other, by turns. */
    placesOf: (i: number) => (i % 2 === 0 ? places : placesThere),
    ticketsOf: (i: number) => (i % 2 === 0 ? tickets : ticketsThere),
    hash: () => randomBytes(32),
    /** Takes a place; the id of its stream, null: there is none. */
    async stream(of: Subject, most: number, now = NOW): Promise<string | null> {
      const id = randomUUID()
      return (await places.take(of, most, id, now)) ? id : null
    },
  }
}

export type World = ReturnType<typeof liveWorld>

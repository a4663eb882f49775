/** The one place where ids of reporters become names that a caller may know (ADR 278). */

import type { Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { type KnownNames, type Reporter, reporterOf } from '../../../schemas/intelligence/reporter.ts'
import { SYSTEM_USER } from '../../../schemas/scans/scan.ts'

/** Ids of who made a thing, and of the source that it counts for. */
export type MadeBy = readonly string[]

/** How the reporters of one answer are called: asked once for all of them. */
export type NameReporters = (all: readonly MadeBy[]) => Promise<(made: MadeBy) => Reporter>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const NO_NAMES: KnownNames = { userId: null, customer: null, colleagues: new Map(), platform: SYSTEM_USER }

/** For callers that know nobody: feeds alone have a name. */
export const nameFeeds: NameReporters = async () => (made) => reporterOf(made, NO_NAMES)

/** Members of a customer are asked for in one question, where an answer has somebody that may be one; others never. */
export function reporters(team: Pick<Team, 'names'>) {
  return (user: Pick<Identity, 'userId' | 'customerId'> | null): NameReporters => {
    if (user === null) return nameFeeds
    const { userId, customerId } = user
    return async (all) => {
      const strangers = new Set(all.flat().filter((id) => id !== userId && UUID.test(id)))
      const found = customerId === null || strangers.size === 0 ? null : await team.names(customerId, [...strangers])
      const known: KnownNames = {
        ...NO_NAMES,
        userId,
        customer: found === null ? null : { id: customerId!, name: found.customer },
        colleagues: new Map(found?.members.map((member) => [member.userId, member])),
      }
      return (made) => reporterOf(made, known)
    }
  }
}

export type Reporters = ReturnType<typeof reporters>

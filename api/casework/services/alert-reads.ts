/** Which alerts an analyst has read (decisions 8.3). */

import type { Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type { AlertReads } from '../../../connectors/postgres/casework/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { ReadState } from '../../../schemas/casework/owner.ts'
import { memberOf, noMember } from '../../accounts/services/team/own-customer.ts'

type Ports = { alertReads: AlertReads; team: Pick<Team, 'membership'>; now: () => number }

/** Both throw 403 for a caller without a customer. */
export function alertReadService({ alertReads, team, now }: Ports) {
  const member = memberOf(team)
  return {
    get: async (user: Identity): Promise<ReadState> => alertReads.of(await member(user)),

    /** In place of what was stored; ids in any spelling and order. */
    async put(user: Identity, { readUntil, read }: ReadState): Promise<ReadState> {
      const state = { readUntil, read: [...new Set(read.map((id) => id.toLowerCase()))].sort() }
      if ((await alertReads.store(await member(user), state, now())) === 'no member') throw noMember()
      return state
    },
  }
}

export type AlertReadService = ReturnType<typeof alertReadService>

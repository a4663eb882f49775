/** Alerts of the caller's watchlists, as far as it may still read what they tell (decisions 13.2). */

import type { Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type {
  Alert,
  AlertChange,
  AlertInbox,
  AlertPage,
  AlertReader,
} from '../../../connectors/postgres/casework/alerts/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { ReadState } from '../../../schemas/casework/owner.ts'
import { noMember } from '../../accounts/services/team/own-customer.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { ownerOf } from './casework-service.ts'

type Ports = { alerts: AlertInbox; team: Pick<Team, 'membership'>; now: () => number }

/** Every function throws 403 for a caller without a customer. */
export function alertService({ alerts, team, now }: Ports) {
  const owner = ownerOf(team)
  const readerOf = async (user: Identity): Promise<AlertReader> => ({ ...(await owner(user)), groups: user.groups })

  return {
    /** Newest first, with the number of all that are unread. Throws 400 when `before` is no alert of the caller. */
    async list(user: Identity, page: AlertPage): Promise<{ alerts: Alert[]; unread: number }> {
      const reader = await readerOf(user)
      const [found, unread] = await Promise.all([alerts.list(reader, page), alerts.unread(reader)])
      if (found === 'no alert') throw invalid('before', 'is not an alert of the caller')
      return { alerts: found, unread }
    },

    /** Moves the watermark forward: to a moment in unix milliseconds, or over all that is there (null). */
    async markRead(user: Identity, until: number | null): Promise<ReadState> {
      const state = await alerts.markRead(await readerOf(user), until, now())
      if (state === 'no member') throw noMember()
      return state
    },

    /** What is not named stays. Throws 404 for an alert that is not the caller's. */
    async change(user: Identity, id: string, change: AlertChange): Promise<Alert> {
      const changed = await alerts.change(await readerOf(user), id, change)
      if (changed === null) throw new ApiError('not_found', { message: 'no such alert of the caller' })
      return changed
    },
  }
}

export type AlertService = ReturnType<typeof alertService>

/** Telemetry of deleted users and of customers that end: with its settings go its ledger and its matches (decisions 14.4). */

import type { MatchSettingsTable } from '../../../../connectors/operations/match-settings/port.ts'
import type { LifecycleEvent } from '../../../../schemas/accounts/lifecycle.ts'
import { ownerKey } from '../../../../schemas/match/settings.ts'
import type { Handler } from './handler.ts'

/** Whose telemetry ends with the event; null: nobody's. That of a member is its customer's. */
function endedOwner({ type, subject }: Pick<LifecycleEvent, 'type' | 'subject'>): string | null {
  if (type === 'customer.deleted') return ownerKey({ kind: 'customer', id: subject.customerID! })
  if (type === 'user.deleted') return ownerKey({ kind: 'user', id: subject.userID! })
  return null
}

/** Everything happens on the log, and may happen twice: there is nothing to do in a transaction. */
export const matchHandler = (settings: Pick<MatchSettingsTable, 'remove'>): Handler => ({
  name: 'match',
  async before(event) {
    const owner = endedOwner(event)
    if (owner !== null) await settings.remove(owner)
  },
  apply: async () => undefined,
})

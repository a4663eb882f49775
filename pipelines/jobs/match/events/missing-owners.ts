import { customerGroup } from '../../../../schemas/accounts/accounts.ts'
import { PUBLIC } from '../../../../schemas/intelligence/observations/audience.ts'
import { TELEMETRY } from '../../../../schemas/log/topics.ts'
import {
  DEFAULT_RETENTION_DAYS,
  DEFAULT_REVISION,
  DEFAULT_SELECTOR,
  type OwnerSettings,
} from '../../../../schemas/match/settings.ts'
import type { MatchPorts } from '../ports.ts'
import type { PreparedBatch } from './prepare.ts'
import { ownerOfEvent } from './whose.ts'

/**
 * Stores the settings by default of owners whose registered producers send for the first time: what the API accepts has
 * them already.
 */
export async function putMissingOwners(
  { settings, producers }: Pick<MatchPorts, 'settings' | 'producers'>,
  { batch, sources }: Pick<PreparedBatch, 'batch' | 'sources'>,
  now: number,
): Promise<void> {
  if (batch.topic !== TELEMETRY) return
  await settings.refresh()
  for (const from of sources) {
    const whose = ownerOfEvent(batch.topic, from, producers)
    if ('reason' in whose || settings.get(whose.owner) !== undefined) continue
    await settings.put(byDefault(whose.owner, now))
    await settings.refresh()
  }
}

const CUSTOMER = 'customer:'

/** Of a customer what all of its members read; what a user reads beside what is public is not known here. */
const byDefault = (owner: string, now: number): OwnerSettings => ({
  owner,
  revision: DEFAULT_REVISION,
  changedAt: now,
  selector: DEFAULT_SELECTOR,
  groups: owner.startsWith(CUSTOMER) ? [customerGroup(owner.slice(CUSTOMER.length)), PUBLIC].sort() : [PUBLIC],
  retentionDays: DEFAULT_RETENTION_DAYS,
  sightings: null,
})

/** Which tiers there are, and which one new customers get. */

import type { Settings } from '../../../connectors/postgres/operation/port.ts'
import { CUSTOMER_TIERS, tierDescription } from '../../../schemas/accounts/tiers/for-sale.ts'
import { FIRST_TIER, type Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { ApiError } from '../../http/errors.ts'

export type TierAdministration = {
  /** In the order of the tiers file. `active` undefined: all. */
  list(active: boolean | undefined): Promise<ShownTier[]>
  /** Throws 404 for a tier that customers cannot have. */
  setDefault(id: string): Promise<void>
}

type ShownTier = { id: string; name: string; description: string; isActive: boolean; isDefault: boolean }

export const tierId = (name: string): string => name.toLowerCase()

const isActive = (name: string): boolean => CUSTOMER_TIERS.some((tier) => tier === name)

export function tierAdministration({ tiers, settings }: { tiers: Tiers; settings: Settings }): TierAdministration {
  const present = async () => (await settings.defaultTier()) ?? FIRST_TIER

  return {
    async list(active) {
      const first = await present()
      const all = Object.keys(tiers).map((name) => ({
        id: tierId(name),
        name,
        description: tierDescription(name),
        isActive: isActive(name),
        isDefault: name === first,
      }))
      return all.filter((tier) => active === undefined || tier.isActive === active)
    },

    async setDefault(id) {
      const name = CUSTOMER_TIERS.find((tier) => tierId(tier) === id.toLowerCase())
      if (name === undefined) throw new ApiError('not_found', { message: 'no such tier', param: 'id' })
      // What changes nothing is not written, and so not told to the audit log (decisions 16.2).
      if (name !== (await present())) await settings.setDefaultTier(name)
    },
  }
}

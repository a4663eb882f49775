import { expect, test } from 'vitest'
import { BUILT_IN_TIERS, entryOf, type LimitKeys } from '../../../../../schemas/accounts/tiers/tiers.ts'

test('a limit key that is in no built-in tier, belongs to another service, or counts no uses, does not compile', () => {
  const right: LimitKeys = { service: 'ingest-api', features: ['scan_per_minute'] }
  // @ts-expect-error: a misspelt key.
  const misspelt: LimitKeys = { service: 'ingest-api', features: ['scans_per_minute'] }
  // @ts-expect-error: a key of another service.
  const elsewhere: LimitKeys = { service: 'search-api', features: ['scan_per_minute'] }
  // @ts-expect-error: a service that has no limits.
  const unknown: LimitKeys = { service: 'scan-api', features: ['scan_per_minute'] }
  // @ts-expect-error: what is open at once is no use of a window.
  const atOnce: LimitKeys = { service: 'live-api', features: ['live_streams'] }
  const isKnown = ({ service, features }: LimitKeys) =>
    Object.values(BUILT_IN_TIERS).every((tier) =>
      features.every((key: string) => entryOf(tier.limits, service, key) !== undefined),
    )
  expect([right, misspelt, elsewhere, unknown].map(isKnown)).toEqual([true, false, false, false])
  expect(isKnown(atOnce)).toBe(true)
})

import { readTiers } from '../../wiring/open/tiers.ts'
import { type Check, ok } from './finding.ts'

/** Checks the tiers file; a start refuses an invalid one. */
export const tiersCheck = (path: string | null): Check => ({
  name: 'limits',
  todo: 'correct the file; the platform refuses to start with it',
  async run() {
    const tiers = readTiers(path)
    return [ok(`${path ?? 'the built-in limits'}: ${Object.keys(tiers).length} tiers`)]
  },
})

import { readFileSync } from 'node:fs'
import { layOver } from '../../../schemas/accounts/tiers/overlay.ts'
import { BUILT_IN_TIERS, type Tiers } from '../../../schemas/accounts/tiers/tiers.ts'

/** The built-in tiers, with the operator's file over them (decisions 6.5). Throws an Error that names file and faults. */
export function readTiers(path: string | null): Tiers {
  if (path === null) return BUILT_IN_TIERS
  try {
    return layOver(BUILT_IN_TIERS, JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new Error(`HARRIER_TIERS_FILE ${path}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

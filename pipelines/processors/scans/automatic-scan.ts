import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'
import { SYSTEM_USER } from '../../../schemas/scans/scan.ts'
import { type ScanTarget, scanTarget } from '../../../schemas/scans/scan-target.ts'

/** What the platform requests by itself, and on whose behalf. */
export type AutomaticScan = {
  target: ScanTarget
  userId: string
  source: string
  trust: number
  audience: readonly string[]
}

/** The trust of an ordinary source (decisions 4). */
const TRUST = 0.6

/**
 * The scan that a change triggers, or null: of an address or domain that is new to its audience, unless a scan itself
 * found it, which would continue from entity to entity forever.
 * Each audience has its own system user: a target that was scanned for one audience would otherwise not be scanned
 * for the next, and its readers could infer that (decisions 2.4, ADR 116).
 */
export function automaticScan(change: Change, rules: { allowPrivate: boolean }): AutomaticScan | null {
  const { kind, type, value, sourceKind, audience } = change
  if (kind !== 'created' || sourceKind === 'scan' || (type !== 'ip' && type !== 'domain')) return null
  const target = scanTarget(value, rules)
  if (!target.ok) return null
  const userId = audience[0] === PUBLIC ? SYSTEM_USER : namedUuid(`${SYSTEM_USER}/${JSON.stringify(audience)}`)
  return { target: target.target, userId, source: SYSTEM_USER, trust: TRUST, audience }
}

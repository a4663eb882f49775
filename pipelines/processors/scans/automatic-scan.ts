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
 * The scans that a change triggers: of an address or domain that is new to an audience, unless a scan itself
 * found it, which would continue from entity to entity forever.
 * Each audience has its own system user: a target that was scanned for one audience would otherwise not be scanned
 * for the next, and its readers could infer that (decisions 2.4, ADR 271).
 */
export function automaticScans(change: Change, rules: { allowPrivate: boolean }): AutomaticScan[] {
  const { type, value, sourceKind } = change
  if (sourceKind === 'scan' || (type !== 'ip' && type !== 'domain')) return []
  // A row of matches alone is no report, and the first one after them is.
  const created = change.rows.filter(
    ({ step, before, after }) => !after.retracted && (step === 'created' || (before?.met && before.retracted)),
  )
  if (created.length === 0) return []
  const target = scanTarget(value, rules)
  if (!target.ok) return []
  return created.map(({ audience }) => {
    const userId = audience[0] === PUBLIC ? SYSTEM_USER : namedUuid(`${SYSTEM_USER}/${JSON.stringify(audience)}`)
    return { target: target.target, userId, source: SYSTEM_USER, trust: TRUST, audience }
  })
}

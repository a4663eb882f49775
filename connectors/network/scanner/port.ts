/** A scan of one address or name from outside (decisions 7). */

import type { SubmittedEntity } from '../../../schemas/intelligence/observations/observation.ts'
import type { ScanTarget } from '../../../schemas/scans/scan-target.ts'

export type { ScanTarget } from '../../../schemas/scans/scan-target.ts'

/**
 * At most 1,000 valid entities including their associations. The target comes first. Facts of something that cannot
 * be an entity, such as a private address, become roots of their own.
 */
export type ScanFindings = { entities: SubmittedEntity[] }

export type Scanner = {
  /**
   * Finds out what a target shows publicly: its names and addresses, open ports, greetings and certificates. A probe
   * that fails leaves out its result. Rejects with `ScanRefused` when the target may not be scanned, with an error
   * when no query could be sent at all, and with the reason of `signal` when that aborts.
   */
  scan(target: ScanTarget, signal: AbortSignal): Promise<ScanFindings>
}

/** The target is an address or name of a private network: a retry cannot help. */
export class ScanRefused extends Error {
  override name = 'ScanRefused'
}

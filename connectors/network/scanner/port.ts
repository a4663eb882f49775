/** A look at one address or name from outside (decisions 7). */

import type { SubmittedEntity } from '../../../schemas/intelligence/observations/observation.ts'
import type { ScanTarget } from '../../../schemas/scans/scan-target.ts'

export type { ScanTarget } from '../../../schemas/scans/scan-target.ts'

/**
 * At most 1,000 entities with their associations counted, each of them valid. The target comes first; what belongs to
 * something that cannot be an entity, such as a private address, stands alone as a root of its own.
 */
export type ScanFindings = { entities: SubmittedEntity[] }

export type Scanner = {
  /**
   * Finds out what a target shows to everybody: its names and addresses, open ports, greetings and certificates. A probe
   * that fails leaves out what it would have found. Rejects with `ScanRefused` when the target may not be looked at, with
   * an error when nothing could be asked at all, and with the reason of `signal` when that ends it.
   */
  scan(target: ScanTarget, signal: AbortSignal): Promise<ScanFindings>
}

/** The target is an address or name of a private network: no try will help. */
export class ScanRefused extends Error {
  override name = 'ScanRefused'
}

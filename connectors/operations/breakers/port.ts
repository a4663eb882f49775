/** The breakers of consumer groups, as every process knows them (ADR 281). */

import type { BreakerState } from '../../../schemas/operation/breaker.ts'

export interface Breakers {
  /** The newest state of every group and source that ever had one, sorted by group. */
  list(): Promise<BreakerState[]>
  /** State of the whole group; null when its breaker was never open. */
  state(group: string): Promise<BreakerState | null>
  /** Durable once it resolves. */
  set(state: BreakerState): Promise<void>
}

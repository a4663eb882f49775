/** The breakers of consumer groups, as every process knows them (ADR 134). */

import type { BreakerState } from '../../../schemas/operation/breaker.ts'

export interface Breakers {
  /** The newest state of every group, and of every source of one, that ever had one, by group. */
  list(): Promise<BreakerState[]>
  /** Of the whole group; null: it was never open. */
  state(group: string): Promise<BreakerState | null>
  /** Durable when it resolves. */
  set(state: BreakerState): Promise<void>
}

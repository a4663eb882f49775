import type { Effects } from '../../../../connectors/postgres/lifecycle/port.ts'
import type { LifecycleEvent, LifecycleGroup } from '../../../../schemas/accounts/lifecycle.ts'

/** Side effects after the transaction, at most once: a failure is logged and not repeated. */
export type FollowUp = () => Promise<void>

/** What one consumer group makes of the events of accounts (specification 6). */
export type Handler = {
  name: LifecycleGroup
  /** What must happen outside, before the transaction; it may be repeated. */
  before?(event: LifecycleEvent): Promise<void>
  /** Everything it does, in the transaction that notes that it was done; answers with what follows once it is stored. */
  apply(event: LifecycleEvent, effects: Effects): Promise<FollowUp | undefined>
}

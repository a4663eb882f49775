import type { AuditReads } from '../../connectors/history/audit/port.ts'
import type { FeedStates } from '../../connectors/history/feeds-out/port.ts'
import type { Breakers } from '../../connectors/operations/breakers/port.ts'
import type { DeadLetters } from '../../connectors/operations/dead-letters/port.ts'
import type { DemoLoader } from '../../connectors/operations/demo-loads/port.ts'
import type { ConsumerLag } from '../../connectors/operations/lag/port.ts'
import type { Retractions } from '../../connectors/operations/retractions/port.ts'
import type { Names } from '../../connectors/postgres/operation/port.ts'

/** What operators see and do works over. */
export type OperationPorts = {
  auditReads: AuditReads
  names: Names
  deadLetters: DeadLetters
  breakers: Breakers
  /** Feeds whose guard holds them. */
  feedStates: Pick<FeedStates, 'held'>
  consumerLag: ConsumerLag
  demo: DemoLoader
  retractions: Retractions
}

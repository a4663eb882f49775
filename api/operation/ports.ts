import type { AuditReads } from '../../connectors/history/audit/port.ts'
import type { Breakers } from '../../connectors/operations/breakers/port.ts'
import type { DeadLetters } from '../../connectors/operations/dead-letters/port.ts'
import type { DemoLoader } from '../../connectors/operations/demo-loads/port.ts'
import type { ConsumerLag } from '../../connectors/operations/lag/port.ts'
import type { Retractions } from '../../connectors/operations/retractions/port.ts'
import type { AuditWriter, Names, Settings } from '../../connectors/postgres/operation/port.ts'

/** What operators see and do works over. */
export type OperationPorts = {
  /** Where records of the audit log are left. */
  audit: AuditWriter
  auditReads: AuditReads
  settings: Settings
  names: Names
  deadLetters: DeadLetters
  breakers: Breakers
  consumerLag: ConsumerLag
  demo: DemoLoader
  retractions: Retractions
}

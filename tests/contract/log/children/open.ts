import { embeddedLog } from '../../../../connectors/log/embedded/log.ts'
import { kafkaLog } from '../../../../connectors/log/kafka/log.ts'
import type { EventLog } from '../../../../connectors/log/port.ts'

/** `embedded:<folder>` or `kafka:<brokers>`: how a test tells another process which log it means. */
export async function openLog(where: string): Promise<EventLog> {
  const [kind, rest] = [where.slice(0, where.indexOf(':')), where.slice(where.indexOf(':') + 1)]
  if (kind === 'kafka') return kafkaLog({ brokers: rest.split(','), sessionMs: 3_000, heartbeatMs: 300 })
  return embeddedLog({ folder: rest, leaseMs: 1_000 })
}

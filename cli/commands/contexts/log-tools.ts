import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import { consumerLag } from '../../../connectors/operations/lag/consumer-lag.ts'
import type { ConsumerLag } from '../../../connectors/operations/lag/port.ts'
import type { Config } from '../../../platform/config.ts'
import { openLog } from '../../wiring/open/open-log.ts'

/** Reads and breakers that need the log alone, beside a running platform or without one. */
export async function openLogTools(
  config: Config,
): Promise<{ breakers: Breakers; consumerLag: ConsumerLag; close(): Promise<void> }> {
  const log = await openLog(config)
  return { breakers: logBreakers(log), consumerLag: consumerLag(log, Date.now), close: () => log.close() }
}

import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import { logStanding } from '../../../connectors/operations/lag/log.ts'
import type { Standing } from '../../../connectors/operations/lag/port.ts'
import type { Config } from '../../../platform/config.ts'
import { openLog } from '../../wiring/open/log.ts'

/** What can be asked of the log alone, beside a running platform or without one. */
export async function openLogTools(
  config: Config,
): Promise<{ breakers: Breakers; standing: Standing; close(): Promise<void> }> {
  const log = await openLog(config)
  return { breakers: logBreakers(log), standing: logStanding(log, Date.now), close: () => log.close() }
}

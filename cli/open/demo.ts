import type { EventLog } from '../../connectors/log/port.ts'
import { logDemoLoads } from '../../connectors/operations/demo-loads/loads.ts'
import { decoder, encoder } from '../../schemas/codec.ts'
import type { Config } from '../../schemas/config.ts'
import type { Observation } from '../../schemas/observation.ts'
import { records } from '../../schemas/records.ts'
import type { DemoPorts } from '../demo/load.ts'
import type { DemoContext } from '../demo.ts'
import { openLog } from './log.ts'
import { type OpenRegistry, openRegistry } from './registry.ts'

/** What a load of the demonstration corpus works over. */
export const openDemo = (log: EventLog, { ids }: Pick<OpenRegistry, 'ids'>): DemoPorts => ({
  log,
  loads: logDemoLoads(log),
  encodeObservation: encoder<Observation>(records.observation, ids.observation),
  // Only what a load itself has written is of interest.
  decodeObservation: decoder<Observation>(records.observation, (id) =>
    id === ids.observation ? records.observation : undefined,
  ),
  now: Date.now,
})

/** The same for a command beside a running platform, or without one. */
export async function openDemoContext(config: Config): Promise<DemoContext> {
  const log = await openLog(config)
  const registry = await openRegistry(config)
  return {
    ...openDemo(log, registry),
    url: config.url,
    close: async () => void (await Promise.all([log.close(), registry.close()])),
  }
}

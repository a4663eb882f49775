import type { EventLog } from '../../../connectors/log/port.ts'
import { logDemoLoads } from '../../../connectors/operations/demo-loads/loads.ts'
import type { DemoPorts } from '../../../pipelines/demo/load.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { OpenRegistry } from './registry.ts'

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

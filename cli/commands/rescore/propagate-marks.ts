import type { History } from '../../../connectors/history/port.ts'
import { propagationStore } from '../../../connectors/history/stores/propagation-store.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { propagationJob } from '../../../pipelines/jobs/intelligence/propagation-job.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import type { OpenRegistry } from '../../wiring/open/registry.ts'

/**
 * One look at all covering marks of a generation that has just become live: no job was shown its rows, and some may be
 * negative only now (ADR 270).
 */
export async function propagateMarks(
  { log, registry }: { log: EventLog; registry: OpenRegistry },
  live: History,
  signal: AbortSignal,
): Promise<void> {
  const encode = encoder<Observation>(records.observation, registry.ids.observation)
  await propagationJob({ log, store: propagationStore(live), encode }, { now: Date.now, signal }).turn()
}

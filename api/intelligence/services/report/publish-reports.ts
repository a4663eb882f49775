import type { EventLog } from '../../../../connectors/log/port.ts'
import type { Metrics } from '../../../../connectors/metrics/port.ts'
import type { Observation, ObservationKind } from '../../../../schemas/intelligence/observations/observation.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import { failure } from '../../../http/errors.ts'

export type PublishPorts = {
  log: Pick<EventLog, 'send'>
  /** An observation as it crosses the log. */
  encodeObservation: (observation: Observation) => Buffer
  metrics: Pick<Metrics['instruments'], 'harrier_ingest_observations_total'>
}

/**
 * Appends the observations of one submission in one send and resolves once all of them are durable. Throws 500
 * (`publish_failed`), or 503 (`log_unavailable`), when the log does not say that they are: they may be there all the same, when it was only late.
 */
export const publisher =
  (ports: PublishPorts) =>
  async (observations: readonly Observation[], kind: ObservationKind): Promise<void> => {
    const messages = observations.map((observation) => ({
      key: observation.entityId,
      value: ports.encodeObservation(observation),
      timestamp: observation.observedAt,
      checked: true,
    }))
    try {
      await ports.log.send([{ topic: OBSERVATIONS, messages }])
    } catch (cause) {
      throw failure('publish_failed', cause)
    }
    ports.metrics.harrier_ingest_observations_total.inc({ kind }, messages.length)
  }

import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { EventLog } from '../../../connectors/log/port.ts'
import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import { replaySeals } from '../../../connectors/operations/dead-letters/seals.ts'
import { type CircuitBreakers, circuitBreakers } from '../../../pipelines/runtime/breakers/circuit-breaking-consumer.ts'
import { pause } from '../../../platform/pause.ts'

/** The circuit breakers of the consumers in this process. */
export function openCircuitBreakers(log: EventLog, logger: Logger): CircuitBreakers {
  return circuitBreakers({
    log,
    breakers: logBreakers(log),
    seals: replaySeals(log),
    now: Date.now,
    by: `${hostname()}:${process.pid}`,
    pause,
    onOpen: ({ group, topic, ratio, run, reasons, by }, found) =>
      logger.fatal(
        { group, topic, ratio, run, reasons, by },
        `${found ? 'the circuit breaker is open' : 'too many records are dead, the circuit breaker opened'}: ${group} stopped reading ${topic}; no record is lost. ` +
          `Check the reasons, fix the cause, then run: harrier breaker close ${group} (harrier guide runbooks/breaker)`,
      ),
    onAlone: ({ group, source, topic, reasons }) =>
      logger.error(
        { group, source, topic, reasons },
        `too many records of one source are dead: the source ${source} is isolated in ${group}. Its bad records become dead letters; ` +
          'all other records are processed (harrier guide runbooks/breaker)',
      ),
    onClose: (group) =>
      logger.warn({ group }, 'the circuit breaker was closed; the consumer group resumes where it stopped'),
    onFailure: (err, group) =>
      logger.warn({ err, group }, 'cannot read or write the state of the circuit breaker; retrying'),
  })
}

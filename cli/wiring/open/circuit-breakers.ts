import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { EventLog } from '../../../connectors/log/port.ts'
import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import { replaySeals } from '../../../connectors/operations/dead-letters/seals.ts'
import { type CircuitBreakers, circuitBreakers } from '../../../pipelines/runtime/circuit-breaking-consumer.ts'
import { passed } from '../../../pipelines/runtime/passed.ts'

/** Consumers of this process, each behind the breaker of its group. */
export function openCircuitBreakers(log: EventLog, logger: Logger): CircuitBreakers {
  return circuitBreakers({
    log,
    breakers: logBreakers(log),
    seals: replaySeals(log),
    now: Date.now,
    by: `${hostname()}:${process.pid}`,
    pause: passed,
    onOpen: ({ group, topic, ratio, run, reasons, by }, found) =>
      logger.fatal(
        { group, topic, ratio, run, reasons, by },
        `${found ? 'the breaker is open' : 'too many records are dead'}: ${group} reads ${topic} no more, and nothing is lost. ` +
          `Look at the reasons, put right what is wrong, then: harrier breaker close ${group} (docs/runbooks/breaker.md)`,
      ),
    onAlone: ({ group, source, topic, reasons }) =>
      logger.error(
        { group, source, topic, reasons },
        `too many records of one source are dead: ${source} stands alone in ${group}. Its dead records become dead letters, ` +
          'everything else is read on (docs/runbooks/breaker.md)',
      ),
    onClose: (group) => logger.warn({ group }, 'the breaker was closed: the consumer goes on where it stopped'),
    onFailure: (err, group) => logger.warn({ err, group }, 'the breaker could not be read or written; trying again'),
  })
}

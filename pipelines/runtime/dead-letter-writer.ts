import type { Batch, EventLog } from '../../connectors/log/port.ts'
import { deadTopic } from '../../schemas/log/topics.ts'
import type { Breaker, SourceOf } from './breakers/group-breaker.ts'
import { type DeadRecord, deadLetterOf } from './dead-letter.ts'

/**
 * Writes the dead records of a batch to the dead-letter topic. To be called for every batch, even without dead
 * records: the breaker, if present, judges all of its records first. `passedTo`: records before this offset were
 * handled before, so they do not open the breaker again.
 * @throws BreakerOpen when too many records are dead: no dead letter was written, and the batch must not be committed
 */
export const deadLetterWriter =
  (log: Pick<EventLog, 'send'>, breaker?: Breaker) =>
  async (batch: Batch, dead: readonly DeadRecord[], sourceOf?: SourceOf, passedTo = 0): Promise<void> => {
    const messages = batch.messages.filter(({ offset }) => offset >= passedTo)
    breaker?.judge({ ...batch, messages }, dead, sourceOf)
    if (dead.length > 0)
      await log.send([{ topic: deadTopic(batch.topic), messages: dead.map((d) => deadLetterOf(batch, d)) }])
  }

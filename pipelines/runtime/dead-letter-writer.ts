import type { Batch, EventLog } from '../../connectors/log/port.ts'
import { deadTopic } from '../../schemas/log/topics.ts'
import { type DeadRecord, deadLetterOf } from './dead-letter.ts'
import type { Breaker, SourceOf } from './group-breaker.ts'

/**
 * Puts what is dead of a batch aside. To be called for every batch, without dead ones too: the breaker, where there is
 * one, judges all of its records first. `passedTo`: records before this offset were dealt with before, so they stop
 * nobody again.
 * @throws BreakerOpen when too much is dead: nothing was buried then, and the batch must not be committed
 */
export const deadLetterWriter =
  (log: Pick<EventLog, 'send'>, breaker?: Breaker) =>
  async (batch: Batch, dead: readonly DeadRecord[], sourceOf?: SourceOf, passedTo = 0): Promise<void> => {
    const messages = batch.messages.filter(({ offset }) => offset >= passedTo)
    breaker?.judge({ ...batch, messages }, dead, sourceOf)
    if (dead.length > 0)
      await log.send([{ topic: deadTopic(batch.topic), messages: dead.map((d) => deadLetterOf(batch, d)) }])
  }

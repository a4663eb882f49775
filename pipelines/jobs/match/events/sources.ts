import type { Batch, LogMessage } from '../../../../connectors/log/port.ts'
import type { EventColumns } from '../../../processors/match/columns/event-columns.ts'
import type { SourceOf } from '../../../runtime/breakers/group-breaker.ts'
import { sourceLookup } from '../../../runtime/source-of.ts'

/** What a record says of where it comes from. */
export type EventSource = { feed: string; owner: string }

/** By what the breaker tells the records of a batch apart. */
export const sourceName = ({ feed, owner }: EventSource): string => (owner === '' ? feed : owner)

/**
 * The source of each record of a batch.
 * @param sources by their number in the columns
 * @param refused names of those of records that are no event, by offset
 */
export function sourceOfEach(
  { messages }: Pick<Batch, 'messages'>,
  { size, message, source }: EventColumns,
  sources: readonly EventSource[],
  refused: ReadonlyMap<number, string>,
): SourceOf {
  const names = sources.map(sourceName)
  const ofOthers = sourceLookup(refused)
  const first = messages[0]?.offset ?? 0
  const numbers = new Int32Array(messages.length).fill(-1)
  for (let event = 0; event < size; event++) numbers[message[event]!] = source[event]!
  const placeOf = ({ offset }: LogMessage): number =>
    messages[offset - first]?.offset === offset ? offset - first : messages.findIndex((one) => one.offset === offset)
  return (one) => {
    const number = numbers[placeOf(one)] ?? -1
    return number < 0 ? ofOthers(one) : names[number]!
  }
}

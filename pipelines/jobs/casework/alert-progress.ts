import type { EventLog } from '../../../connectors/log/port.ts'
import type { AlertProgress, AlertTopic } from '../../../connectors/postgres/casework/alerts/port.ts'
import { CHANGES, OBSERVATIONS } from '../../../schemas/log/topics.ts'

/**
 * How far the changes of one partition were looked at, by the partition of the observations behind them. Of a partition of
 * match.events by itself: its records are told apart by their own offsets, as those of partition 0.
 */
export type Progress = {
  /** Whether a change is one that was not looked at; then it is. What was sent again after a crash was. */
  pass(change: { partition: number; offset: number }): boolean
  /** What is to be stored with what the changes did that passed. */
  moves(): AlertProgress
  /** It is stored. */
  stored(): void
}

/**
 * @param positions as they are stored
 * @param from where to go on from, if not there
 * @param topic of the partition
 */
export function progressOf(
  partition: number,
  positions: ReadonlyMap<number, number>,
  from: ReadonlyMap<number, number> = positions,
  topic: AlertTopic = CHANGES,
): Progress {
  const known = new Map(positions)
  const now = new Map(from)
  return {
    pass({ partition: source, offset }) {
      if (offset < (now.get(source) ?? 0)) return false
      now.set(source, offset + 1)
      return true
    },
    moves: () => ({
      topic,
      partition,
      moves: [...now].flatMap(([source, to]) => {
        const from = known.get(source) ?? null
        return from === to ? [] : [{ source, from, to }]
      }),
    }),
    stored() {
      for (const [source, to] of now) known.set(source, to)
    },
  }
}

/**
 * Positions beyond the end of the observations, or of the partition that is followed by its own offsets, are of a log that was replaced by another one: nothing of this one would
 * ever be looked at. They are counted from its beginning again.
 */
export async function withinLog(
  log: Pick<EventLog, 'offsets'>,
  positions: ReadonlyMap<number, number>,
  own?: { topic: string; partition: number },
): Promise<Map<number, number>> {
  const offsets = await log.offsets(own?.topic ?? OBSERVATIONS)
  const ends = new Map(
    own === undefined
      ? offsets.map(({ partition, high }) => [partition, high])
      : offsets.filter(({ partition }) => partition === own.partition).map(({ high }) => [0, high]),
  )
  return new Map([...positions].map(([source, next]) => [source, next > (ends.get(source) ?? 0) ? 0 : next]))
}

import type { EventLog } from '../../../connectors/log/port.ts'
import type { AlertProgress } from '../../../connectors/postgres/casework/alerts/port.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'

/** How far the changes of one partition were looked at, by the partition of the observations behind them. */
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
 */
export function progressOf(
  partition: number,
  positions: ReadonlyMap<number, number>,
  from: ReadonlyMap<number, number> = positions,
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
 * Positions beyond the end of the observations are of a log that was replaced by another one: nothing of this one would
 * ever be looked at. They are counted from its beginning again.
 */
export async function withinLog(
  log: Pick<EventLog, 'offsets'>,
  positions: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const ends = new Map((await log.offsets(OBSERVATIONS)).map(({ partition, high }) => [partition, high]))
  return new Map([...positions].map(([source, next]) => [source, next > (ends.get(source) ?? 0) ? 0 : next]))
}

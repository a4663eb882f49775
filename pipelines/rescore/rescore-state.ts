import type { EventLog } from '../../connectors/log/port.ts'
import { rulesIn, type ScoringRules } from '../../schemas/intelligence/scoring/rules.ts'
import { OBSERVATIONS, OBSERVERS } from '../../schemas/log/topics.ts'

/** What a rescored generation knows about itself. */
export type RescoreState = {
  /** The database that it was made of, and the rules of that; JSON, empty: the built-in ones. */
  live: string
  before: string
  after: string
  /** Of each partition the offset from which on records may be missing in its rows. */
  since: number[]
  /**
   * `building`: rows are missing. `built`: ready to be promoted. `applying`: records were applied to it that the live
   * tables may not have: a promotion that ended here begins again with all rows. `published`: live, and the log says so.
   * `told`: also a record for every entity whose score is another is on the log (ADR 271).
   */
  stage: 'building' | 'built' | 'applying' | 'published' | 'told'
  /** Where its rules begin to hold, once that is decided. */
  from: { partition: number; offset: number }[]
  /** When that was, in unix milliseconds. */
  at: number
  /** Entities with keys below have their record; left out: none has. */
  toldTo?: string
}

export const stateIn = (note: string): RescoreState => JSON.parse(note) as RescoreState

export const bothRules = ({ before, after }: RescoreState): { before: ScoringRules; after: ScoringRules } => ({
  before: rulesIn(before),
  after: rulesIn(after),
})

/** Of each partition the offset up to which the observation job has applied everything. */
export async function appliedOffsets(log: Pick<EventLog, 'committed' | 'offsets'>): Promise<number[]> {
  const partitions = (await log.offsets(OBSERVATIONS)).length
  const offsets = new Array<number>(partitions).fill(0)
  for (const { partition, offset } of await log.committed(OBSERVERS, OBSERVATIONS)) offsets[partition] = offset ?? 0
  return offsets
}

/** What the observation job told of changes, and what it should have told. */

import type { EventLog } from '../../../connectors/log/port.ts'
import { applyBatch } from '../../../pipelines/processors/intelligence/apply-batch.ts'
import { withGroups } from '../../../pipelines/processors/intelligence/changes.ts'
import type { ObserveRules } from '../../../pipelines/processors/intelligence/observe.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import type { Positioned } from '../../../schemas/intelligence/state/stored.ts'
import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { CHANGES } from '../../../schemas/log/topics.ts'
import { type Difference, difference, line, sorted } from '../history/stored.ts'
import { observation } from './observation.ts'
import { everyRecord } from './replay/replay.ts'

const decode = decoder<Change>(records.change, (id) => (id < 1000 ? records.change : undefined))

/** Throws for what is no change. */
export function decodeChange(bytes: Buffer | null): Change {
  const decoded = decode(bytes ?? Buffer.alloc(0))
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.record
}

/** Every change on the log, partition by partition. */
export const changesIn = async (log: EventLog): Promise<Change[]> =>
  (await everyRecord(log, CHANGES)).map(({ value }) => decodeChange(value))

/** What a covered record may not state. */
const COVERED = { kind: 'covered', audience: [], reputation: null, tags: [], links: [] } as const

/** A log of one partition of these observations; a covered one states nothing. */
export const positioned = (all: readonly Partial<Observation>[]): Positioned[] =>
  all.map((given, offset) => {
    const silent = given.kind === 'covered' ? { ...COVERED, audience: [], tags: [], links: [], attributes: {} } : {}
    const o = observation({ ...given, ...silent })
    return { observation: o, partition: 3, offset, audience: audienceId(o.audience) }
  })

/** What follows from the observations alone. */
export function replayedChanges(observations: readonly Positioned[], rules: ObserveRules): Change[] {
  const { changes, audiences } = applyBatch(new Map(), observations, rules)
  return changes.map((published) => withGroups(published, audiences))
}

type PublishedCheck = Difference & {
  /** Changes that were told again with another content. */
  altered: number
  /** Changes that came first after one of a later observation of their entity. */
  late: number
}

const lineOf = (change: Change): string => line(sorted(change))

/** What a consumer that knows changes by their id was told, against a replay of the observations. */
export const comparePublished = (
  observations: readonly Positioned[],
  rules: ObserveRules,
  published: readonly Change[],
): PublishedCheck => changesAgainst(replayedChanges(observations, rules), published)

/** The same, against what should have been told. */
export function changesAgainst(should: readonly Change[], published: readonly Change[]): PublishedCheck {
  const seen = new Map<string, string>()
  const last = new Map<string, number>()
  let altered = 0
  let late = 0
  for (const change of published) {
    const before = seen.get(change.id)
    if (before !== undefined) {
      if (before !== lineOf(change)) altered++
      continue
    }
    seen.set(change.id, lineOf(change))
    if (change.offset < (last.get(change.entityId) ?? 0)) late++
    last.set(change.entityId, change.offset)
  }
  const expected = should.map(lineOf)
  return { ...difference(expected, [...seen.values()]), altered, late }
}

export const TOLD_RIGHT = { missing: 0, extra: 0, altered: 0, late: 0 }

import { expand } from '../../../schemas/intelligence/ingest/expand.ts'
import { observedAtFault } from '../../../schemas/intelligence/ingest/observed-at.ts'
import { resolveVisibleBy } from '../../../schemas/intelligence/observations/audience.ts'
import {
  type BrokerSubmission,
  type FeedRegistration,
  feedProvenance,
} from '../../../schemas/intelligence/observations/feed.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { namedUuid } from '../../../schemas/log/ids.ts'

export type Expansion = { ok: true; observations: Observation[] } | { ok: false; reason: string }

/**
 * A broker producer's submission as observations, or why it cannot be used. `place` names its log record: ids follow
 * from it, so that expanding it again gives the same observations. `loggedAt` stands in for a missing time. `now` is what
 * the time is compared with: the time of the record is its producer's clock too. All in unix milliseconds.
 */
export function expandSubmission(
  submission: BrokerSubmission,
  feed: FeedRegistration | undefined,
  place: string,
  loggedAt: number,
  now: number,
): Expansion {
  if (feed === undefined) return { ok: false, reason: `feed ${submission.feed} is not registered` }
  const visible = resolveVisibleBy(submission.visibleBy, feed.groups)
  if (!visible.ok) return { ok: false, reason: visible.message }
  const observedAt = submission.observedAt ?? loggedAt
  const untimely = observedAtFault(observedAt, now)
  if (untimely !== null) {
    const stands =
      submission.observedAt === null ? ' (the time of the record, because the submission has no observedAt)' : ''
    return { ok: false, reason: `${untimely.message}${stands}` }
  }
  let index = 0
  const expanded = expand(submission, feedProvenance(feed, 'report', visible.audience, observedAt), {
    submissionId: namedUuid(place),
    nextId: () => namedUuid(`${place}/${index++}`),
  })
  return expanded.ok ? expanded : { ok: false, reason: expanded.message }
}

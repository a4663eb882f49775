import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { sightingOf } from '../../processors/match/sighting.ts'
import type { PresentViews } from '../../processors/match/views.ts'
import type { MatchContext } from './match-context.ts'
import type { OwnedMatch } from './publish-matches.ts'

const DAY_MS = 86_400_000
const SENT_AT_ONCE = 5_000

/**
 * Reports entities that were matched as seen, to those who read them already, where their owner has chosen so: once an
 * entity and day (decisions 14.4). To be called before the matches are stored: those of the day that are there already
 * had theirs, and a report that is sent twice is one.
 */
export async function sendSightings(
  { ports, owners, options }: Pick<MatchContext, 'ports' | 'owners' | 'options'>,
  told: readonly OwnedMatch[],
  views: PresentViews,
): Promise<void> {
  const chosen = told.filter(({ owner }) => owners.get(owner)?.settings.sightings)
  if (chosen.length === 0) return
  const today = Math.floor(options.now() / DAY_MS) * DAY_MS
  const messages = []
  for (const [owner, those] of Map.groupBy(chosen, (one) => one.owner)) {
    const first = new Map(those.map(({ match }) => [match.entity.id, match]))
    const sent = await ports.store.matched([owner], [...first.keys()], today)
    for (const { entityId } of sent) first.delete(entityId)
    const { groups } = owners.get(owner)!.settings.sightings!
    for (const match of first.values()) {
      const record = sightingOf(match, owner, groups, views.audiencesOf(match.entity.id))
      if (record !== null) messages.push({ key: record.entityId, value: ports.encodeObservation(record) })
    }
  }
  for (let at = 0; at < messages.length; at += SENT_AT_ONCE)
    await ports.log.send([{ topic: OBSERVATIONS, messages: messages.slice(at, at + SENT_AT_ONCE) }])
}

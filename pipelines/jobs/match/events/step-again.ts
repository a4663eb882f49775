import type { Decision } from '../../../../connectors/history/match/port.ts'
import type { EventPart } from '../../../processors/match/columns/event-part.ts'
import { forwardMatches, possibleIn } from '../../../processors/match/forward.ts'
import { tellRetro } from '../changes/retro.ts'
import { type MatchContext, presentOf } from '../context.ts'
import { sendSightings } from '../sightings.ts'
import { type OwnedMatch, sendNews, tellMatches } from '../tell.ts'
import { asDecided, decidedIn, type Meeting, meet } from './meet.ts'

/**
 * Tells what was decided of events of a range that was begun before, by whomever. Changes may have been looked at between
 * the decision and now: what came into an index has not met these events in the ledger, and meets it now; what left has
 * withdrawn what is only told now.
 * @returns how many forward matches there are
 */
export async function tellAgain(
  context: MatchContext,
  part: EventPart,
  mark: bigint,
  decided: Decision,
): Promise<number> {
  await addDecided(context, decided)
  const meeting = await meet(context, part, context.options.now())
  const { events } = meeting.possible
  const telling = { batch: mark, matchedAt: decided.at }
  const met = asDecided(context, meeting.views, decidedIn(decided))
  const told = forwardMatches(events, meeting.candidates, met, telling)
  await sendSightings(context, told, meeting.views)
  await tellMatches(context, told, `match:${mark}`)
  await tellWithdrawn(context, told)
  await tellMissed(context, meeting)
  return told.length
}

/** What has left the index may not have been among what was read since. */
async function addDecided(context: MatchContext, { tallies }: Decision): Promise<void> {
  const ids = [...new Set(tallies.map(({ entityId }) => entityId))]
  const views = await presentOf(context, ids)
  for (const id of ids) {
    const named = views.named(id)
    if (named !== null) context.index.indicators.add(named.type, named.value)
  }
}

/** The state of their entities is there already; the log has not said it of these. */
async function tellWithdrawn(context: MatchContext, told: readonly OwnedMatch[]): Promise<void> {
  for (const [owner, those] of Map.groupBy(told, (one) => one.owner)) {
    const ids = [...new Set(those.map(({ match }) => match.entity.id))]
    const states = new Map((await context.ports.store.states(owner, ids)).map((state) => [state.entityId, state]))
    const { groups } = context.owners.get(owner)!.settings
    const news = those.flatMap(({ match }) => {
      const { withdrawnAt: at = null, reason = '' } = states.get(match.entity.id) ?? {}
      return at === null ? [] : [{ owner, groups, match, step: 'withdrawn' as const, at, reason }]
    })
    await sendNews(context, news)
  }
}

/**
 * What came into an index met a ledger without these events, but with what was decided of them: too few of its rows, or too
 * few events of one.
 */
async function tellMissed(context: MatchContext, { possible, candidates, inIndex }: Meeting): Promise<void> {
  for (const [owner, those] of Map.groupBy(possible.events, (one) => one.owner)) {
    const present = [...possibleIn(those, candidates).found.values()].flatMap((one) => inIndex(owner, one) ?? [])
    await tellRetro(context, [context.owners.get(owner)!], present)
  }
}

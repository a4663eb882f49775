import { isMatched, mayHaveMatched } from '../../../schemas/casework/inside.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import type { MatchRecord } from '../../../schemas/match/match.ts'
import type { AlertStep, ToldView } from './look-at.ts'
import type { MatchItems } from './match-items.ts'
import { mayFire } from './watched.ts'

/** A record of match.events, where it stands, and when it was logged in unix milliseconds. */
export type LoggedMatch = { match: MatchRecord; partition: number; offset: number; time: number }

/**
 * What a match is to the items of its owner's users (decisions 14.5): it fires those whose user is shown it, which is in
 * all of its groups; when it is withdrawn, so is what it fired.
 */
export function lookAtMatch(
  { match, partition, offset, time }: LoggedMatch,
  items: Pick<MatchItems, 'of'>,
  tell: (step: AlertStep<ToldView>) => void,
): void {
  const { entity, owner, groups, step } = match
  const does = step === 'withdrawn' ? 'withdraw' : 'fire'
  const { id: entityId, type, value, reputation } = entity
  const view = { entityId, type, value, reputation }
  // Everybody is in that one.
  const needs = groups.filter((group) => group !== PUBLIC)
  const readableBy = groups.length === 0 ? [PUBLIC] : groups
  for (const item of items.of(owner)) {
    if (does === 'withdraw' ? !mayHaveMatched(item.watch, entity) : !isMatched(item.watch, entity)) continue
    if (does === 'fire' && !(mayFire(item, time) && needs.every((group) => item.list.reader.reads([group])))) continue
    tell({ does, item, view, readableBy, needs, change: { partition, offset }, time })
  }
}

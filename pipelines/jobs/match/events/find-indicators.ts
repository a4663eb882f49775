import type { Decision } from '../../../../connectors/history/match/port.ts'
import type { MatchedEntity } from '../../../../schemas/match/match.ts'
import type { EventPart } from '../../../processors/match/columns/event-part.ts'
import {
  type Candidates,
  candidatesIn,
  type InIndex,
  type Possible,
  possibleIn,
} from '../../../processors/match/forward.ts'
import type { PresentViews } from '../../../processors/match/views.ts'
import { type MatchContext, matchedEntity, presentOf } from '../match-context.ts'

/** What some events may meet, by the rows that are stored now. */
export type FoundIndicators = {
  candidates: Candidates
  possible: Possible
  views: PresentViews
  /** What the index of an owner has now. */
  inIndex: InIndex
}

export async function findIndicators(context: MatchContext, part: EventPart, now: number): Promise<FoundIndicators> {
  const { indicators } = context.index
  const candidates = candidatesIn(indicators)
  const possible = possibleIn(context.readPossible(part, indicators), candidates)
  const views = await presentOf(context, [...possible.found.keys()])
  return { candidates, possible, views, inIndex: inIndexOf(context, views, now) }
}

function inIndexOf({ owners }: MatchContext, views: PresentViews, now: number): InIndex {
  const known = new Map<string, MatchedEntity | null>()
  return (owner, { id }) => {
    const key = `${owner} ${id}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const by = owners.get(owner)!
    const view = views.viewOf(id, by.reader)
    const entity = view !== null && by.selector.holds(view, now) ? matchedEntity(id, view) : null
    known.set(key, entity)
    return entity
  }
}

/** An owner and an entity, of which some events meet. */
export type IsDecided = (owner: string, entityId: string) => boolean

export function decidedIn({ tallies }: Decision): IsDecided {
  const met = new Set(tallies.map(({ owner, entityId }) => `${owner} ${entityId}`))
  return (owner, entityId) => met.has(`${owner} ${entityId}`)
}

/** What the index had when it was decided, shown as it is now. */
export function asDecided({ owners }: MatchContext, views: PresentViews, isDecided: IsDecided): InIndex {
  return (owner, { id, type, value }) => {
    if (!isDecided(owner, id)) return null
    const view = views.viewOf(id, owners.get(owner)!.reader)
    return view === null ? { id, type, value, reputation: 0, accuracy: 0, tags: [] } : matchedEntity(id, view)
  }
}

import { hostNameOf, isBelow } from '../intelligence/compare/compare-names.ts'
import { isWithin } from '../intelligence/compare/compare-networks.ts'
import { rangeOf } from '../intelligence/propagation/range.ts'
import type { SelectorView } from '../intelligence/selectors/selector.ts'
import { type MatchedView, viewOfMatch } from './match-watch.ts'
import type { Watch } from './watch.ts'

/**
 * Whether a view is inside what an item watches, at a moment in unix milliseconds (decisions 13.2). Marked entities are,
 * unless a selector says otherwise; an entity all of whose reports were taken back is in no list (decisions 17.3).
 */
export function isInside(watch: Watch, view: SelectorView, now: number): boolean {
  const { type, maxReputation } = watch
  if (view.retracted) return false
  if (maxReputation !== null && view.reputation > maxReputation) return false
  return (type === null || view.type === type) && isNamed(watch, view, now)
}

function isNamed({ kind, keys, network, suffix, selector }: Watch, view: SelectorView, now: number): boolean {
  switch (kind) {
    case 'entity':
      return keys.includes(view.entityId)
    case 'value':
      return keys.includes(view.value)
    case 'tag':
      return keys.some((tag) => view.tags.includes(tag))
    case 'type':
      return keys.includes(view.type)
    case 'cidr': {
      const range = rangeOf(view.type, view.value)
      return network !== null && range !== null && isWithin([network], range)
    }
    case 'suffix': {
      const name = hostNameOf(view.type, view.value)
      return suffix !== null && name !== null && isBelow(name, suffix)
    }
    case 'selector':
      return selector?.holds(view, now) ?? false
    case 'match':
      return false
  }
}

/** Whether an item of the kind `match` watches what a match tells of its entity (decisions 14.5). */
export function isMatched({ match, type, maxReputation }: Watch, entity: MatchedView): boolean {
  if (match === null || (type !== null && entity.type !== type)) return false
  return (
    (maxReputation === null || entity.reputation <= maxReputation) && match.whole.holdsAtAnyTime(viewOfMatch(entity))
  )
}

/** Whether it may have been, whatever was reported since. */
export const mayHaveMatched = ({ match, type }: Watch, entity: MatchedView): boolean =>
  match !== null && (type === null || entity.type === type) && match.lasting.holdsAtAnyTime(viewOfMatch(entity))

/** What an item of the kind `match` watches: matches of its user, by what they tell of their entity (decisions 14.5). Pure. */

import { at, fault } from '../intelligence/search/fault.ts'
import { type CompiledSelector, compileSelector } from '../intelligence/selectors/compile.ts'
import type { Selector, SelectorView } from '../intelligence/selectors/selector.ts'

/** Parts of a selector that no match tells of its entity. */
const UNTOLD = ['country', 'asn', 'seenWithin', 'wellKnown'] as const

/** A selector of what a match tells: type, value, reputation, accuracy and tags. */
export type MatchSelector = Omit<Selector, (typeof UNTOLD)[number]>

/** What of a match an item looks at. */
export type MatchedView = Pick<SelectorView, 'type' | 'value' | 'reputation' | 'accuracy' | 'tags'> & { id: string }

export type MatchWatch = {
  whole: CompiledSelector
  /** The parts that no report about the entity makes others: what they leave out never fired. */
  lasting: CompiledSelector
}

/** @throws Fault naming the first part that cannot be decided by a match */
export function refuseUntold(given: unknown, path: string): void {
  if (typeof given !== 'object' || given === null) return
  for (const name of UNTOLD)
    if (Object.hasOwn(given, name))
      fault(
        at(path, name),
        'is not supported in a match item: a match has only the type, value, reputation, accuracy and tags of the entity',
      )
}

/** The normal form without what was filled in for parts that no match tells. */
export const toldParts = ({
  country: _,
  asn: __,
  seenWithin: ___,
  wellKnown: ____,
  ...told
}: Selector): MatchSelector => told

export function compileMatch({ types, value, cidr, ...changing }: MatchSelector): MatchWatch {
  const lasting = {
    ...(types !== undefined && { types }),
    ...(value !== undefined && { value }),
    ...(cidr !== undefined && { cidr }),
    // What its owner matches by is what its settings select, marked or not.
    wellKnown: 'any' as const,
  }
  return { lasting: compileSelector(lasting), whole: compileSelector({ ...lasting, ...changing }) }
}

/** What a match tells of its entity as a view: conditions on the rest are refused. */
export const viewOfMatch = ({ id, type, value, reputation, accuracy, tags }: MatchedView): SelectorView => ({
  entityId: id,
  type,
  value,
  reputation,
  accuracy,
  tags,
  wellKnown: false,
  covered: false,
  country: '',
  asn: 0,
  lastSeen: 0,
  retracted: false,
})

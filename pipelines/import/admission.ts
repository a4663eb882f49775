import { countsAt } from '../../connectors/feeds/parse/counts-at.ts'
import type { AcceptedItem, RejectedItem } from '../../connectors/feeds/parse/item.ts'
import { rejected } from '../../connectors/feeds/parse/item.ts'
import { isRestricted, type Marking, shownMarking } from '../../connectors/feeds/parse/marking.ts'
import { PUBLIC } from '../../schemas/intelligence/observations/audience.ts'
import { type FeedRegistration, feedProvenance } from '../../schemas/intelligence/observations/feed.ts'
import type { Provenance } from '../../schemas/intelligence/observations/observation.ts'

/** Groups that may read what has a marking; null: the import does not say. */
export type Readers = Readonly<Record<Marking, readonly string[] | null>>

export type AdmissionRules = {
  feed: Pick<FeedRegistration, 'name' | 'trust' | 'groups'>
  readers: Readers
  /** Unix milliseconds: the moment of the import. */
  observedAt: number
}

/** An item that may be published, with who says it, to whom and of when. */
export type Admitted = AcceptedItem & { provenance: Provenance }

/** An item that is refused for its marking alone. */
export type Withheld = RejectedItem & { marking: Marking }

/**
 * Decides what becomes of an item: who may read it, by its marking; what its claim weighs, by the confidence of its
 * producer; and whether it is a claim at all. What is not valid any more was seen when it was valid last, and refreshes
 * nothing since.
 */
export function admission({
  feed,
  readers,
  observedAt,
}: AdmissionRules): (item: AcceptedItem | RejectedItem) => Admitted | RejectedItem | Withheld {
  const usual = feedProvenance(feed, 'report', [...feed.groups], observedAt)
  // What a feed vouches for becomes a public well-known mark (decisions 3.6).
  const wellKnown: Provenance = { ...usual, kind: 'well_known', audience: [PUBLIC] }

  return (item) => {
    if ('rejected' in item) return item
    if (item.wellKnown) return { ...item, provenance: wellKnown }
    const { marking, entity } = item
    const audience = marking === undefined ? feed.groups : readers[marking]
    if (audience === null) return { ...withheld(item, marking!), marking: marking! }
    const { weight, isClaim, at } = countsAt(item, observedAt)
    const provenance: Provenance =
      weight === 1 && at === observedAt && audience === feed.groups
        ? usual
        : {
            ...usual,
            audience: [...audience],
            trust: feed.trust * weight,
            observedAt: at,
          }
    return { ...item, entity: isClaim ? entity : { ...entity, reputation: null }, provenance }
  }
}

const withheld = ({ line, entity }: AcceptedItem, marking: Marking): RejectedItem => {
  const how = `use --visible-by or --marking ${marking}=<group> to name the groups that may read it`
  return rejected(
    line,
    `restricted (${shownMarking(marking)}): ${how}`,
    `${entity.type} ${entity.attributes[entity.type]}`,
  )
}

/**
 * Who may read what, out of the groups of the import and those given for single markings. What is restricted and given
 * no groups goes to those of the import, unless these are everybody.
 */
export function readersOf(groups: readonly string[], given: ReadonlyMap<Marking, readonly string[]>): Readers {
  const of = (marking: Marking): readonly string[] | null =>
    given.get(marking) ?? (isRestricted(marking) && groups.includes(PUBLIC) ? null : groups)
  return {
    clear: of('clear'),
    green: of('green'),
    amber: of('amber'),
    'amber+strict': of('amber+strict'),
    red: of('red'),
  }
}

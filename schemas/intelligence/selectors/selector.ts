import type { EntityView } from '../state/entity-view.ts'

/** Most types, networks, countries and numbers of autonomous systems (decisions 10.3). */
export const MAX_LISTED = 50
/** Most values. */
export const MAX_VALUES = 10_000

/** Whole numbers, both ends included; at least one of them is given. */
export type Bounds = { readonly gte?: number; readonly lte?: number }

/**
 * A condition over the view of an entity and the time, read and in normal form (decisions 10.3): all that it names must
 * hold. No list is empty, and none has an element twice.
 */
export type Selector = {
  readonly types?: readonly string[]
  readonly reputation?: Bounds
  readonly accuracy?: Bounds
  /** One of `any`, each of `all`, none of `none`. */
  readonly tags?: {
    readonly any?: readonly string[]
    readonly all?: readonly string[]
    readonly none?: readonly string[]
  }
  /** `in` as given, trimmed: what has no type has several normal forms. `suffix` is a name in normal form. */
  readonly value?: { readonly in?: readonly string[]; readonly prefix?: string; readonly suffix?: string }
  /** Networks, host bits cleared: addresses and networks inside one of them. */
  readonly cidr?: readonly string[]
  /** English names. */
  readonly country?: readonly string[]
  readonly asn?: readonly number[]
  /** How long ago the entity was last seen at most, such as `24h` or `7d`. */
  readonly seenWithin?: string
  /** Entities that are marked or covered: none of them, only them, or whichever. */
  readonly wellKnown: boolean | 'any'
}

/** What a selector looks at of an entity as one reader is shown it. Country '' and asn 0 are not known. */
export type SelectorView = Readonly<
  Pick<
    EntityView,
    'entityId' | 'type' | 'value' | 'reputation' | 'accuracy' | 'wellKnown' | 'covered' | 'country' | 'asn' | 'lastSeen'
  >
> & {
  readonly tags: readonly string[]
  /** All readable observations are retracted: no selector holds (decisions 17.3). */
  readonly retracted: boolean
}

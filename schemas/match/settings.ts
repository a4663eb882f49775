import type { Selector } from '../intelligence/selectors/selector.ts'

/** What an owner's telemetry meets, and how long it is kept (decisions 14.2). */
export type MatchSettings = {
  readonly selector: Selector
  /** The reader of what is matched is somebody of the owner in all of these groups; sorted, not empty. */
  readonly groups: readonly string[]
  /** 1 to 90. */
  readonly retentionDays: number
  /** Groups that are told, once a day, that an entity which they read already was seen (decisions 14.4); null: nobody. */
  readonly sightings: { readonly groups: readonly string[] } | null
}

/** Settings as they are kept. */
export type OwnerSettings = MatchSettings & {
  /** `customer:<UUID>` or `user:<UUID>`. */
  readonly owner: string
  /**
   * Rises with every change of the settings of the owner, so that what was done by the earlier ones is known; of two with
   * the same one the first in the log holds. `DEFAULT_REVISION` while nobody chose.
   */
  readonly revision: number
  /** Unix milliseconds. */
  readonly changedAt: number
}

/** What holds until an owner chooses (decisions 14.2). */
export const DEFAULT_SELECTOR: Selector = { reputation: { lte: -1 }, accuracy: { gte: 1 }, wellKnown: false }
export const DEFAULT_RETENTION_DAYS = 30
export const MAX_RETENTION_DAYS = 90

/** How an owner is written on the log and in the tables of matches. */
export const ownerKey = ({ kind, id }: { readonly kind: 'customer' | 'user'; readonly id: string }): string =>
  `${kind}:${id}`

/** Of settings that nobody chose: stored with the first event of an owner, and never over what somebody chose meanwhile. */
export const DEFAULT_REVISION = 1

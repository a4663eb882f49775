import { PUBLIC } from '../intelligence/observations/audience.ts'

/** Whose a feed is: a customer's, or of a user without one (decisions 11.1). `id` is a UUID. */
export type FeedOwner = { readonly kind: 'customer' | 'user'; readonly id: string }

/** What rights to a feed depend on; none of it ever changes. */
export type FeedRights = {
  readonly owner: FeedOwner
  /** Its reader is somebody in all of these groups. */
  readonly groups: readonly string[]
  /** Everybody may read it. */
  readonly open: boolean
}

/** Who asks: its user id, its customer, and all groups that it reads. */
export type FeedCaller = {
  readonly userId: string
  readonly customerId: string | null
  readonly groups: readonly string[]
}

/** Who owns what the caller makes. */
export const ownerOf = ({ userId, customerId }: Pick<FeedCaller, 'userId' | 'customerId'>): FeedOwner =>
  customerId === null ? { kind: 'user', id: userId } : { kind: 'customer', id: customerId }

/**
 * Whether the caller may read and change the feed: it belongs to the owner and is in all groups of the feed
 * (decisions 11.1). Who belonged to no customer when it made a feed keeps it when it joins one.
 */
export function isOwnersReader({ owner, groups }: Omit<FeedRights, 'open'>, caller: FeedCaller): boolean {
  const belongs = owner.id === (owner.kind === 'user' ? caller.userId : caller.customerId)
  return belongs && groups.every((group) => caller.groups.includes(group))
}

/**
 * Whether the reader in these groups is everybody: `public` and nothing else. Only such a feed may be open (decisions 11.1),
 * and only what such a reader sees is marked CLEAR (decisions 15.3), in lists, collections and exports alike.
 */
export const isPublicAlone = (groups: readonly string[]): boolean => groups.length === 1 && groups[0] === PUBLIC

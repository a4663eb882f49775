/** Who made a report, a claim or a comment, in the words of one reader (decisions 2.4; ADR 278). */

import { FEED_PREFIX } from './observations/feed.ts'

/**
 * @property kind `you`, `colleague`: an accepted member of the reader's customer, `customer`: that customer itself,
 *   `feed`, `platform`: a scan that nobody asked for, `other`: anybody else
 * @property name how it is called; of `you`, `platform` and `other` always the same words
 * @property email of a colleague, where it is verified
 */
export type Reporter = {
  kind: 'you' | 'colleague' | 'customer' | 'feed' | 'platform' | 'other'
  name: string
  email?: string
}

/** A member as its colleagues may know it. `email` is null where it is not verified. */
export type Colleague = { fullName: string; alias: string; email: string | null }

/** What one reader knows of names: itself, its customer, accepted members of it, and the platform by its own id. */
export type KnownNames = {
  userId: string | null
  customer: { id: string; name: string } | null
  colleagues: ReadonlyMap<string, Colleague>
  platform: string
}

const OTHER: Reporter = { kind: 'other', name: 'another organisation' }

/**
 * The reporter behind these ids: of who made it, and of the source it counts for, the nearest that the reader may know.
 * Nothing of an id gets into a name.
 */
export function reporterOf(ids: readonly string[], { userId, customer, colleagues, platform }: KnownNames): Reporter {
  const feed = ids.find((id) => id.startsWith(FEED_PREFIX))
  if (feed !== undefined) return { kind: 'feed', name: feed.slice(FEED_PREFIX.length) }
  if (userId !== null && ids.includes(userId)) return { kind: 'you', name: 'you' }
  const colleague = ids.map((id) => colleagues.get(id)).find((found) => found !== undefined)
  if (colleague !== undefined) return shownColleague(colleague)
  if (customer !== null && ids.includes(customer.id)) return { kind: 'customer', name: customer.name }
  return ids.includes(platform) ? { kind: 'platform', name: 'this platform' } : OTHER
}

const shownColleague = ({ fullName, alias, email }: Colleague): Reporter => ({
  kind: 'colleague',
  name: alias || fullName || email || 'a colleague',
  ...(email !== null && { email }),
})

/** Collections and their objects, for whoever may read the feed (decisions 15.2). */

import type { Collections, ObjectPage } from '../../../connectors/history/feeds-out/collections/port.ts'
import type { FeedDefinition, FeedDefinitions } from '../../../connectors/postgres/feeds-out/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { Seals } from '../../../schemas/cursors/seal.ts'
import { addedIn, collectionCursor } from '../../../schemas/feeds-out/collections/cursor.ts'
import type { CollectionFilter } from '../../../schemas/feeds-out/collections/filter.ts'
import { INBOX, INBOX_ALIAS, isInbox } from '../../../schemas/feeds-out/collections/inbox.ts'
import { feedAccess } from '../../feeds-out/services/feeds-service.ts'
import { ApiError } from '../../http/errors.ts'

export type CollectionsPorts = {
  feeds: Pick<FeedDefinitions, 'feed' | 'names'>
  collections: Collections
  seals: () => Promise<Seals>
}

/** Most collections of the list: TAXII has no pages of them. */
const MAX_COLLECTIONS = 1_000
/** Most objects of a page; more than that are cut. */
export const MOST_OBJECTS = 1_000

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type ShownCollection = {
  id: string
  title: string
  description?: string
  alias?: string
  canRead: boolean
  canWrite: boolean
}

const inbox = {
  id: INBOX,
  title: 'Inbox',
  description: 'Accepts STIX 2.1 objects as reports of the sender.',
  alias: INBOX_ALIAS,
  canRead: false,
}

/** What of a collection is asked for. `next` is the word of the last page, and `after` a date added in unix microseconds. */
export type PageWanted = {
  after: number
  next: string | null
  limit: number
  filter: CollectionFilter
  texts: boolean
}

/** `next`: what to ask for next; null: there is no more now. */
export type CollectionPage = Omit<ObjectPage, 'next'> & { next: string | null }

export function collectionService({ feeds, collections, seals }: CollectionsPorts) {
  const access = feedAccess(feeds)

  /** Throws 401 for somebody unknown and 404 for others, where the feed is not for them; 403 without the role `user`. */
  async function readable(user: Identity | null, id: string): Promise<FeedDefinition> {
    try {
      if (!UUID.test(id)) throw new ApiError('not_found')
      return await access.readable(user, id.toLowerCase())
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
      throw user === null ? new ApiError('unauthorized') : noCollection()
    }
  }

  return {
    /** Throws as `readable`, and 403 for the inbox, which nobody reads. Returns the id of its feed. */
    async feed(user: Identity | null, id: string): Promise<string> {
      if (!isInbox(id)) return (await readable(user, id)).id
      if (user === null) throw new ApiError('unauthorized')
      throw seesInbox(user) ? new ApiError('forbidden', { message: 'the inbox is write-only' }) : noCollection()
    },

    /** Throws as `readable`; the inbox is there for everybody with the role `user`, and says who may write to it. */
    async collection(user: Identity | null, id: string): Promise<ShownCollection> {
      if (!isInbox(id)) return shown(await readable(user, id))
      if (user === null) throw new ApiError('unauthorized')
      if (!seesInbox(user)) throw noCollection()
      return { ...inbox, canWrite: mayPost(user) }
    },

    /**
     * Its own feeds first, then open ones, at most 1,000, and the inbox. Throws 401 for somebody unknown when there is
     * none: credentials may show some.
     */
    async list(user: Identity | null): Promise<ShownCollection[]> {
      if (user?.by?.kind === 'download token') return [shown(await readable(user, user.by.feedId))]
      const reader = user?.roles.includes('user') ? user : null
      const found = (await feeds.names(reader, MAX_COLLECTIONS)).map(shown)
      if (user === null && found.length === 0) throw new ApiError('unauthorized')
      return user !== null && seesInbox(user) ? [{ ...inbox, canWrite: mayPost(user) }, ...found] : found
    },

    /** Of a feed that `feed` returned. Throws 400 for a `next` of something else. */
    async page(feed: string, wanted: PageWanted): Promise<CollectionPage> {
      const sealed = await seals()
      const after = wanted.next === null ? 0 : addedIn(sealed, feed, wanted.next)
      if (after === null) throw new ApiError('bad_cursor', { param: 'next' })
      const { filter, texts } = wanted
      const limit = Math.min(wanted.limit, MOST_OBJECTS)
      const page = await collections.page({ feed, after: Math.max(after, wanted.after), limit, filter, texts })
      return { ...page, next: page.next === null ? null : collectionCursor(sealed, feed, page.next) }
    },
  }
}

export type CollectionService = ReturnType<typeof collectionService>

/** A download token reads its feed, and does nothing else. */
const seesInbox = (user: Identity): boolean => user.roles.includes('user') && user.by?.kind !== 'download token'

/** What is posted are reports, which need the role of every report. */
export const mayPost = (user: Identity): boolean => seesInbox(user) && user.roles.includes('reporter')

const shown = ({ id, name, description }: Pick<FeedDefinition, 'id' | 'name' | 'description'>): ShownCollection => ({
  id,
  title: name,
  ...(description !== '' && { description }),
  canRead: true,
  canWrite: false,
})

export const noCollection = (): ApiError => new ApiError('not_found', { message: 'no such collection' })

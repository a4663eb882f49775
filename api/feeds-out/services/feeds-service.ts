/** Feeds that leave the platform: who defines, reads and changes them (decisions 11.1; ADR 274). */

import type { FeedFiles } from '../../../connectors/feed-files/port.ts'
import type { FeedStates, FeedStatus } from '../../../connectors/history/feeds-out/port.ts'
import type {
  FeedChange,
  FeedDefinition,
  FeedDefinitions,
  NamedFeed,
} from '../../../connectors/postgres/feeds-out/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { DEFAULT_GUARD, type FeedGuard } from '../../../schemas/feeds-out/feed.ts'
import { isOwnersReader, isPublicAlone, ownerOf } from '../../../schemas/feeds-out/rights.ts'
import { readSelector } from '../../../schemas/intelligence/selectors/read.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'
import { noMember } from '../../accounts/services/team/own-customer.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { ownGroups } from '../../http/fields/own-groups.ts'

/** Which feeds everybody may read: throws 403 without the role `trusted`, 400 for another reader than the public. */
function mayBeOpen(user: Identity, groups: readonly string[]): void {
  if (!user.roles.includes('trusted'))
    throw new ApiError('forbidden', { message: 'open: the role trusted is required', param: 'open' })
  if (!isPublicAlone(groups)) throw invalid('open', 'requires groups to be exactly ["public"]')
}

export type FeedPorts = {
  feedsOut: { feeds: FeedDefinitions }
  feedStates: Pick<FeedStates, 'statesOf'>
  feedFiles: Pick<FeedFiles, 'forget'>
  now: () => number
  newId: () => string
}

/** A feed and what is known of its list. */
export type ShownFeed = { feed: FeedDefinition; status: FeedStatus }

/** What a body says; the rest of a guard is as by default, and null turns it off. */
type FeedBody = {
  name?: string
  description?: string
  selector?: unknown
  cap?: number | null
  guard?: Partial<FeedGuard> | null
}

type NewFeedBody = FeedBody & { name: string; selector: unknown; groups?: string[]; open?: boolean }

const BUILDING: FeedStatus = { state: 'building', items: 0, sequence: 0, held: null }

/** Most feeds of the list for existing clients. */
const MAX_NAMES = 1_000

export function feedService({ feedsOut: { feeds }, feedStates, feedFiles, now, newId }: FeedPorts) {
  const access = feedAccess(feeds)

  const withStatus = async (all: readonly FeedDefinition[]): Promise<ShownFeed[]> => {
    const states = await feedStates.statesOf(all.map(({ id }) => id))
    return all.map((feed) => ({ feed, status: states.get(feed.id) ?? BUILDING }))
  }

  const shown = async (feed: FeedDefinition): Promise<ShownFeed> => (await withStatus([feed]))[0]!

  return {
    /**
     * Throws 400 that names what is wrong, 403 for groups of others and for an open feed without the role `trusted`, 409
     * when the quota is used up.
     */
    async create(user: Identity, body: NewFeedBody): Promise<ShownFeed> {
      const { name, description = '', cap = null, guard = {}, open = false } = body
      const groups = ownGroups(user.groups, body.groups)
      if (open) mayBeOpen(user, groups)
      const at = now()
      const feed: FeedDefinition = {
        id: newId(),
        owner: ownerOf(user),
        maker: user.userId,
        name,
        description,
        selector: selectorOf(body.selector),
        groups,
        cap,
        guard: guardOf(guard),
        open,
        revision: 1,
        createdAt: at,
        updatedAt: at,
      }
      const outcome = await feeds.create(feed, !user.builtIn)
      if (outcome === 'full') throw new ApiError('quota_exceeded')
      if (outcome === 'no member') throw noMember()
      if (outcome === 'too large') throw tooLarge()
      return { feed, status: BUILDING }
    },

    /** Feeds that the caller may read and change, newest first. */
    async list(user: Identity, page: { after: string | null; limit: number }) {
      const { feeds: found, next } = await feeds.list(user, page)
      return { items: await withStatus(found), next }
    },

    /** Throws 404 for a feed that the caller may not read. */
    get: async (user: Identity | null, id: string): Promise<ShownFeed> => shown(await access.readable(user, id)),

    /**
     * What is not named stays; the revision rises. The state is that from before: the list follows later.
     * Throws 400, 403 for an open feed of others, 404.
     */
    async change(user: Identity, id: string, { selector, guard, ...plain }: FeedBody): Promise<ShownFeed> {
      const { status } = await shown(await access.changeable(user, id))
      const change: FeedChange = {
        ...plain,
        ...(selector === undefined ? {} : { selector: selectorOf(selector) }),
        ...(guard === undefined ? {} : { guard: guardOf(guard) }),
        at: now(),
      }
      const feed = await feeds.change(id, change)
      if (feed === 'too large') throw tooLarge()
      if (feed === null) throw noFeed()
      return { feed, status }
    },

    /** Throws 403 for an open feed of others, 404. */
    async remove(user: Identity, id: string): Promise<void> {
      await access.changeable(user, id)
      if (!(await feeds.remove(id, now()))) throw noFeed()
      // Nobody is given them any more; what other processes have goes within seconds (ADR 274).
      await feedFiles.forget(id)
    },

    /** Holds the list, or releases it: the job does so when it reads it. Throws 403 for an open feed of others, 404. */
    async order(user: Identity, id: string, kind: 'hold' | 'release'): Promise<ShownFeed> {
      const known = await shown(await access.changeable(user, id))
      if (!(await feeds.order(id, kind, now()))) throw noFeed()
      return known
    },

    /** Feeds that the caller may read, its own first; at most 1,000 (decisions 11.7). */
    names: (user: Identity | null): Promise<NamedFeed[]> => feeds.names(user, MAX_NAMES),
  }
}

export type FeedService = ReturnType<typeof feedService>

/** Feeds by id, for callers who may read or change them. */
export function feedAccess(feeds: Pick<FeedDefinitions, 'feed'>) {
  async function readable(user: Identity | null, id: string): Promise<FeedDefinition> {
    const feed = await feeds.feed(id)
    if (feed?.open) return feed
    if (feed === null || user === null || !isOwnersReader(feed, user)) throw noFeed()
    if (!user.roles.includes('user')) throw new ApiError('forbidden', { message: 'the role user is required' })
    return feed
  }

  return {
    /** Throws 404 for a feed that the caller may not read, and for an unknown one; 403 for its own without the role `user`. */
    readable,

    /**
     * As `readable`; somebody unknown is refused with 401 for each feed that is not open, unknown ones too: devices send
     * their credentials only after a challenge (ADR 256).
     */
    async downloadable(user: Identity | null, id: string): Promise<FeedDefinition> {
      try {
        return await readable(user, id)
      } catch (error) {
        if (user !== null || !(error instanceof ApiError) || error.code !== 'not_found') throw error
        const message = 'credentials are required: there is no such feed that everybody may read'
        throw new ApiError('unauthorized', { message })
      }
    },

    /** Throws 403 for an open feed of others, 404 for every other feed of theirs and for an unknown one. */
    async changeable(user: Identity, id: string): Promise<FeedDefinition> {
      const feed = await feeds.feed(id)
      if (feed !== null && isOwnersReader(feed, user)) return feed
      throw feed?.open ? new ApiError('forbidden', { message: 'only its owner may change an open feed' }) : noFeed()
    },
  }
}

/** Throws 400 that names the part that is wrong. */
function selectorOf(given: unknown): Selector {
  const read = readSelector(given)
  if (!read.ok) throw invalid(read.param, read.message)
  return read.selector
}

const guardOf = (guard: Partial<FeedGuard> | null): FeedGuard | null =>
  guard === null ? null : { ...DEFAULT_GUARD, ...guard }

export const noFeed = () => new ApiError('not_found', { message: 'no such feed' })

const tooLarge = () => invalid('selector', 'is too large: with the rest of the feed it takes more than 1,000,000 bytes')

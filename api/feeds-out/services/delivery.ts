/** The list of a feed as a file, for whoever may read the feed (decisions-2 11.2). */

import type { CodedFile, Coding, FeedFiles, Generation } from '../../../connectors/feed-files/port.ts'
import type { FeedDefinition, FeedDefinitions } from '../../../connectors/postgres/feeds-out/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { FeedFormat } from '../../../schemas/feeds-out/formats/format.ts'
import { ApiError } from '../../http/errors.ts'
import { feedAccess } from './feeds.ts'
import type { Current, Generations } from './generations.ts'

export type DeliveryPorts = {
  feeds: Pick<FeedDefinitions, 'feed'>
  generations: Generations
  files: Pick<FeedFiles, 'file'>
  cursor: (feed: string, sequence: number) => Promise<string>
  now: () => number
}

export type Delivered = { file: string; media: string; headers: Record<string, string> }

/** A file may be removed for want of room between the moment when it is found and that when it is opened. */
const ATTEMPTS = 3

export function deliveryOf({ feeds, generations, files, cursor, now }: DeliveryPorts) {
  const access = feedAccess(feeds)

  async function found(feed: FeedDefinition, format: FeedFormat, coding: Coding): Promise<[Current, CodedFile]> {
    for (let i = 0; i < ATTEMPTS; i++) {
      const current = await generations.current(feed, format, i > 0)
      const file = await files.file(current.generation, coding)
      if (file !== null) return [current, file]
    }
    throw new ApiError('busy')
  }

  return {
    /** Throws 404 for a feed that the caller may not read. */
    feed: (user: Identity | null, id: string): Promise<FeedDefinition> => access.readable(user, id),

    /** Throws 404 for a feed that the caller may not read, and what `Generations` throws. */
    async items(user: Identity | null, id: string, format: FeedFormat, coding: Coding): Promise<Delivered> {
      const feed = await access.readable(user, id)
      const [current, file] = await found(feed, format, coding)
      const headers = { ...headersOf(current, feed, now()), etag: file.etag, ...codingOf(coding) }
      return {
        file: file.path,
        media: format.mediaType,
        headers: {
          ...headers,
          'x-feed-cursor': await cursor(feed.id, current.generation.sequence),
          'content-disposition': `attachment; filename="${format.name}-${feed.id.slice(0, 8)}.${format.extension}"`,
        },
      }
    },
  }
}

export type Delivery = ReturnType<typeof deliveryOf>

const codingOf = (coding: Coding): Record<string, string> =>
  coding === 'identity' ? {} : { 'content-encoding': coding }

function headersOf({ generation, held, away }: Current, feed: FeedDefinition, now: number): Record<string, string> {
  const { sequence, items, skipped, generatedAt }: Generation = generation
  return {
    // To be asked for again each time: 304 is quick, and a list that is not present is wrong.
    'cache-control': feed.open ? 'public, no-cache' : 'private, no-cache',
    vary: 'authorization, api-key, api-secret, accept-encoding',
    'last-modified': new Date(generatedAt).toUTCString(),
    'x-feed-sequence': String(sequence),
    'x-feed-items': String(items),
    'x-feed-skipped': String(skipped),
    'x-feed-generated-at': new Date(generatedAt).toISOString(),
    ...(held && { 'x-feed-held': 'true' }),
    // The store of lists is away: this is the last list that was made (decisions-2 11.2).
    ...(away && { age: String(Math.max(0, Math.floor((now - generatedAt) / 1_000))) }),
  }
}

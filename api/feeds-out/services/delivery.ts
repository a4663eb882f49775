/** The list of a feed as a file, for whoever may read the feed (decisions 11.2). */

import type { CodedFile, Coding, FeedFiles, Generation } from '../../../connectors/feed-files/port.ts'
import type { FeedDefinition, FeedDefinitions } from '../../../connectors/postgres/feeds-out/port.ts'
import { promiseCache } from '../../../platform/promise-cache.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { FeedFormat } from '../../../schemas/feeds-out/formats/format.ts'
import { ApiError } from '../../http/errors.ts'
import type { Validators } from '../../http/route.ts'
import { feedAccess } from './feeds-service.ts'
import type { Current, Generations } from './generations.ts'

export type DeliveryPorts = {
  feeds: Pick<FeedDefinitions, 'feed'>
  generations: Generations
  files: Pick<FeedFiles, 'file' | 'known'>
  cursor: (feed: string, sequence: number) => Promise<string>
  now: () => number
}

/** What is asked for; `has`: whether the caller has a version already. */
export type Wanted = { format: FeedFormat; coding: Coding; has: (version: Validators) => boolean }

/** `file` null: the caller has it. */
export type Delivered = { file: string | null; media: string; bytes: number; headers: Record<string, string> }

/** Cursors that are remembered: devices ask for the same place again and again, and it is the same text (ADR 274). */
const MAX_CURSORS = 10_000

/** A file may be removed for want of room between the moment when it is found and that when it is opened. */
const ATTEMPTS = 3

export function deliveryOf({ feeds, generations, files, cursor, now }: DeliveryPorts) {
  const access = feedAccess(feeds)
  const cursors = promiseCache<string>({ max: MAX_CURSORS, ttlMs: Number.POSITIVE_INFINITY, now })

  const cursorOf = (id: string, sequence: number): Promise<string> =>
    cursors.get(`${id} ${sequence}`, () => cursor(id, sequence))

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

    /** The same for devices: throws 401 to somebody unknown. */
    download: (user: Identity | null, id: string): Promise<FeedDefinition> => access.downloadable(user, id),

    /** Throws 404 for a feed that the caller may not read, 401 to somebody unknown, and what `Generations` throws. */
    async items(user: Identity | null, id: string, { format, coding, has }: Wanted): Promise<Delivered> {
      const feed = await access.downloadable(user, id)
      const delivered = async (
        current: Current,
        file: string | null,
        { etag, bytes }: Pick<CodedFile, 'etag' | 'bytes'>,
      ): Promise<Delivered> => ({
        file,
        media: format.mediaType,
        bytes,
        headers: {
          ...headersOf(current, feed, now()),
          etag,
          ...codingOf(coding),
          'x-feed-cursor': await cursorOf(feed.id, current.generation.sequence),
          'content-disposition': `attachment; filename="${format.name}-${feed.id.slice(0, 8)}.${format.extension}"`,
        },
      })
      const last = await generations.current(feed, format)
      const known = files.known(last.generation, coding)
      if (known !== null && has({ etag: known.etag, 'last-modified': modifiedOf(last.generation) }))
        return delivered(last, null, known)
      const [current, file] = await found(feed, format, coding)
      return delivered(current, file.path, file)
    },
  }
}

export type Delivery = ReturnType<typeof deliveryOf>

const modifiedOf = ({ generatedAt }: Generation): string => new Date(generatedAt).toUTCString()

const codingOf = (coding: Coding): Record<string, string> =>
  coding === 'identity' ? {} : { 'content-encoding': coding }

function headersOf({ generation, held, away }: Current, feed: FeedDefinition, now: number): Record<string, string> {
  const { sequence, items, skipped, generatedAt } = generation
  return {
    // To be asked for again each time: 304 is quick, and a list that is not present is wrong.
    'cache-control': feed.open ? 'public, no-cache' : 'private, no-cache',
    vary: 'authorization, api-key, api-secret, accept-encoding',
    'last-modified': modifiedOf(generation),
    'x-feed-sequence': String(sequence),
    'x-feed-items': String(items),
    'x-feed-skipped': String(skipped),
    'x-feed-generated-at': new Date(generatedAt).toISOString(),
    ...(held && { 'x-feed-held': 'true' }),
    // The store of lists is away: this is the last list that was made (decisions 11.2).
    ...(away && { age: String(Math.max(0, Math.floor((now - generatedAt) / 1_000))) }),
  }
}

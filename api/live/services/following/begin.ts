/** Where a stream begins (decisions 12.1). */

import type { ChangeLog } from '../../../../connectors/operations/changes/port.ts'
import type { Seals } from '../../../../schemas/cursors/seal.ts'
import { positionIn, type StreamPlace } from '../../../../schemas/live/stream-cursor.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import { instant } from '../../../http/fields/instant.ts'

/** How long changes are kept, and cursors good, in milliseconds. */
const KEPT_MS = 7 * 86_400_000
/** A cursor is longer than any time. */
const LONGEST_TIME = 40

export type BeginPorts = { changes: Pick<ChangeLog, 'kept' | 'startsAt'>; seals: Seals; now: () => number }

/** What a caller gives: the parameter `since`, or `Last-Event-ID`. */
export type Since = { param: 'since' | 'Last-Event-ID'; text: string }

/**
 * The places that a cursor or a time stands for.
 * @throws ApiError 400 for a cursor that was changed or is of another stream, and for a time of the future; 410 for what
 * is older than what is kept
 */
export async function placesSince(
  { param, text }: Since,
  purpose: string,
  { changes, seals, now }: BeginPorts,
): Promise<StreamPlace[]> {
  if (param === 'since' && text.length <= LONGEST_TIME) return placesAt(text, { changes, now })
  const position = positionIn(seals, purpose, text)
  if (position === null) throw new ApiError('bad_cursor', { param })
  const kept = await changes.kept()
  if (position.places.length > kept.length) throw new ApiError('bad_cursor', { param })
  if (position.at < now() - KEPT_MS) throw expired()
  return kept.map(({ low, high }, partition) => {
    const place = position.places[partition]
    // A partition that was added since: all of it is new.
    if (place === undefined) return { offset: low, observed: 0 }
    if (place.offset < low) throw expired()
    // The log was made anew: nothing of it is known.
    if (place.offset > high) throw new ApiError('bad_cursor', { param })
    return place
  })
}

async function placesAt(text: string, { changes, now }: Pick<BeginPorts, 'changes' | 'now'>): Promise<StreamPlace[]> {
  const at = instant('since', text, { from: 0, until: 8.64e15 })
  if (at > now()) throw invalid('since', 'is in the future')
  if (at < now() - KEPT_MS) throw expired()
  return (await changes.startsAt(at)).map((offset) => ({ offset, observed: 0 }))
}

const expired = (): ApiError =>
  new ApiError('cursor_expired', {
    message:
      'changes are kept for 7 days: read the current entities (POST /api/search/v1/entities/advanced), then follow GET /api/live/v1/changes without since',
  })

import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { ApiError } from '../../http/errors.ts'

/** Streams of one process (decisions 12.4). */
export const MAX_STREAMS = 1_000

/** The place of one stream. */
export type StreamPlace = {
  /** Aborted when the place is lost: the stream has to end. */
  lost: AbortSignal
  /** For the end of the stream; a second call does nothing. */
  giveBack(): Promise<void>
}

export type OpenPlaces = {
  /** Throws 503 when this process has no room, and 429 when the caller has as many streams open as it may. */
  take(user: Identity | null, ip: string): Promise<StreamPlace>
}

/** @param ofCaller a place among those of the caller; null: it has no limit */
export function openPlaces(
  ofCaller: (user: Identity | null, ip: string) => Promise<StreamPlace | null>,
  most = MAX_STREAMS,
): OpenPlaces {
  let open = 0
  return {
    async take(user, ip) {
      if (open >= most) throw new ApiError('busy')
      open++
      const place = await ofCaller(user, ip).catch((error: unknown) => {
        open--
        throw error
      })
      let held = true
      return {
        lost: place?.lost ?? new AbortController().signal,
        async giveBack() {
          if (!held) return
          held = false
          open--
          await place?.giveBack()
        },
      }
    },
  }
}

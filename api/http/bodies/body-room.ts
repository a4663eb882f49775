/** Memory for bodies that still come, or are being answered: one budget for a process, and shares (decisions 1.5). */

import { ApiError } from '../errors.ts'

/** Whose body it is: a user, or the network around the address of an anonymous caller. */
export type Sender = { name: string; anonymous: boolean }

/** The room of one body. */
export type Held = {
  /** Takes room for bytes that have come; what it returns refuses the body, null keeps it. */
  keep(bytes: number): ApiError | null
  /** Gives back all of it. */
  release(): void
  /** Bytes that took room so far, and that have it now. */
  readonly taken: number
  readonly held: number
}

export type BodyRoom = { of(sender: Sender): Held }

const MIB = 1024 * 1024

/** In bytes. The share of a user is more than its largest body needs: 16 MiB in half a million lines. */
const BOUNDS = { all: 448 * MIB, user: 160 * MIB, anonymous: 64 * MIB, block: 16 * MIB }

/** A body that comes slowly holds its room for up to half a minute. */
const AGAIN_SECONDS = 2

const OWN_SHARE = 'your other requests with a body are still being read or answered; retry in a moment'

/**
 * Bytes count once they have come, not when they are announced. Who holds its share is refused with 429, whoever else
 * comes is not touched; all anonymous callers together leave the rest to users. 503 when the process holds all it may.
 */
export function bodyRoom({ all, user, anonymous, block }: typeof BOUNDS = BOUNDS): BodyRoom {
  const shares = new Map<string, number>()
  let held = 0
  let heldByAnonymous = 0

  const add = (sender: Sender, bytes: number): void => {
    const share = (shares.get(sender.name) ?? 0) + bytes
    if (share === 0) shares.delete(sender.name)
    else shares.set(sender.name, share)
    held += bytes
    if (sender.anonymous) heldByAnonymous += bytes
  }

  return {
    of(sender) {
      // Plain fields: an accessor in an object literal makes a hidden class for each object.
      const own = {
        taken: 0,
        held: 0,
        keep(bytes: number): ApiError | null {
          const share = (shares.get(sender.name) ?? 0) + bytes
          if (share > (sender.anonymous ? block : user))
            return new ApiError('rate_limited', { message: OWN_SHARE, retryAfter: AGAIN_SECONDS })
          const full = held + bytes > all || (sender.anonymous && heldByAnonymous + bytes > anonymous)
          if (full) return new ApiError('busy')
          add(sender, bytes)
          own.held += bytes
          own.taken += bytes
          return null
        },
        release(): void {
          if (own.held > 0) add(sender, -own.held)
          own.held = 0
        },
      }
      return own
    },
  }
}

import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { ApiError } from '../../../http/errors.ts'

/** Rights that are lost take effect within 5 s (decisions 12.2). */
const LOOK_MS = 2_000
const AGAIN_MS = 500
/** Rights that nobody could confirm for so long do not hold: the client comes back and is asked who it is. */
const UNCONFIRMED_MS = 4_800

export type WatchedRights = {
  /** The caller as it is now, when its groups are others. */
  onChange: (user: Identity | null) => void
  onEnd: () => void
}

/**
 * Looks again and again who the caller of a stream is.
 * @param again who the caller is now; throws ApiError 401 or 403 when its credentials do not hold any more
 */
export function watchRights(
  again: () => Promise<Identity | null>,
  { onChange, onEnd }: WatchedRights,
  lookMs = LOOK_MS,
): { stop(): void } {
  let groups: string | null = null
  let stopped = false
  let timer = setTimeout(look, lookMs)
  let expiry: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    expiry ??= setTimeout(end, UNCONFIRMED_MS - LOOK_MS)
    let waitMs = AGAIN_MS
    try {
      const user = await again()
      clearTimeout(expiry)
      expiry = undefined
      waitMs = lookMs
      const now = JSON.stringify(user?.groups ?? null)
      if (!stopped && groups !== now) onChange(user)
      groups = now
    } catch (error) {
      if (isRefusal(error)) return end()
    }
    if (!stopped) timer = setTimeout(look, waitMs)
  }

  function end(): void {
    if (!stopped) onEnd()
    stop()
  }

  function stop(): void {
    stopped = true
    clearTimeout(timer)
    clearTimeout(expiry)
  }

  return { stop }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)

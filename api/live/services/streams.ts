import type { ChangeLog } from '../../../connectors/operations/changes/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { Seals } from '../../../schemas/cursors/seal.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { type FilterQuery, readFilter } from '../../../schemas/live/filter.ts'
import { streamPurpose } from '../../../schemas/live/stream-cursor.ts'
import type { Start } from '../../http/answers/stream-body.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { placesSince, type Since } from './following/begin.ts'
import { catchUp, isBrought } from './following/catch-up.ts'
import type { CatchUpTurns } from './following/catch-up-turns.ts'
import type { StreamForm } from './following/forms.ts'
import type { Hub } from './following/hub.ts'
import { readerOf } from './following/reader.ts'
import type { ReaderChanges } from './following/reader-changes.ts'
import { stream as newStream, type Stream } from './following/stream.ts'
import type { Unread } from './following/unread.ts'
import type { OpenPlaces } from './open-places.ts'

/** Rights that are lost take effect within 5 s (decisions 12.2). */
const LOOK_MS = 2_000
const AGAIN_MS = 500
/** Rights that nobody could confirm for so long do not hold: the client comes back and is asked who it is. */
const UNCONFIRMED_MS = 4_800

type WatchedRights = {
  /** The caller as it is now, when its groups are others. */
  onChange: (user: Identity | null) => void
  onEnd: () => void
}

/**
 * Looks again and again who the caller of a stream is.
 * @param again who the caller is now; throws ApiError 401 or 403 when its credentials do not hold any more
 */
function watchRights(
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

const HEARTBEAT_MS = 15_000

export type StreamsPorts = {
  changes: ChangeLog
  hub: Hub
  tell: ReaderChanges
  unread: Unread
  seals: () => Promise<Seals>
  places: OpenPlaces
  turns: CatchUpTurns
  /** Unix milliseconds. */
  now: () => number
  onFailure: (error: unknown) => void
}

export type StreamRequest = {
  user: Identity | null
  /** Who the caller is now; throws when its credentials do not hold any more. */
  again: () => Promise<Identity | null>
  ip: string
  filter: FilterQuery
  /** null: from now on. */
  since: Since | null
  form: StreamForm
}

const groupsOf = (user: Identity | null): readonly string[] => user?.groups ?? [PUBLIC]

/** Streams of changes to callers (decisions 12). */
export function streamService(ports: StreamsPorts) {
  const { changes, hub, tell, unread, places, turns, now, onFailure } = ports

  async function follow(stream: Stream, seals: Seals): Promise<void> {
    hub.add(stream)
    while (!isBrought(stream, hub)) {
      await turns(stream, (turn) => catchUp(stream, { changes, hub, tell, unread, seals, now }, turn))
      // Whoever reads slowly takes what it was given while others have their turn.
      await stream.room()
    }
    stream.note('caught-up')
  }

  return {
    /**
     * Checks what a caller asks for, and takes one of its places; the stream begins when it is given where to write.
     * @throws ApiError 400 for a filter or cursor that is wrong, 410 for one that is too old, 429 when the caller has as
     * many streams open as it may, 503 when this process has
     */
    async open({ user, again, ip, filter: query, since, form }: StreamRequest): Promise<Start> {
      const read = readFilter(query)
      if (!read.ok) throw invalid(read.param, read.message)
      const { filter } = read
      const seals = await ports.seals()
      const purpose = streamPurpose(user?.userId ?? null, filter.text)
      await hub.start()
      const start = since === null ? null : await placesSince(since, purpose, { changes, seals, now })
      const place = await places.take(user, ip)
      return (sink) => {
        const reader = readerOf(groupsOf(user))
        const stream = newStream({ sink, reader, filter, form, purpose, places: start ?? hub.places(), seals, now })
        unread.add(stream)
        place.lost.addEventListener('abort', () => stream.cutOff(), { once: true })
        const rights = watchRights(again, {
          onChange: (changed) => {
            stream.reader = readerOf(groupsOf(changed))
          },
          onEnd: () => stream.cutOff(),
        })
        const heartbeat = setInterval(() => stream.note('heartbeat'), HEARTBEAT_MS)
        if (form.preamble !== '') sink.write(form.preamble)
        void follow(stream, seals).catch((error: unknown) => {
          if (stream.isOpen()) onFailure(error)
          stream.cutOff()
        })
        void stream.closed.then(() => {
          clearInterval(heartbeat)
          rights.stop()
          hub.remove(stream)
          void place.giveBack()
        })
      }
    },
  }
}

export type StreamService = ReturnType<typeof streamService>

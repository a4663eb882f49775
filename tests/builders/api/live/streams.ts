/** The services of streams over changes in memory. */

import type { Readers } from '../../../../api/intelligence/services/readers.ts'
import { catchUpTurns } from '../../../../api/live/services/following/catch-up-turns.ts'
import { LINES } from '../../../../api/live/services/following/forms.ts'
import { hub as newHub } from '../../../../api/live/services/following/hub.ts'
import { newLinks } from '../../../../api/live/services/following/new-links.ts'
import { type ReaderChanges, readerChanges } from '../../../../api/live/services/following/reader-changes.ts'
import { unreadBound } from '../../../../api/live/services/following/unread.ts'
import { wideViews } from '../../../../api/live/services/following/wide-views.ts'
import { openPlaces } from '../../../../api/live/services/open-places.ts'
import { type StreamRequest, streamService } from '../../../../api/live/services/streams.ts'
import type { LinkStore } from '../../../../connectors/history/links/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { seals } from '../../../../schemas/cursors/seal.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import { builtIn } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import { memoryChangeLog } from './change-log.ts'
import { type MemorySink, memorySink } from './sink.ts'

/** First offsets of links as the store would have them, of these changes. */
export function linksOf(all: () => readonly Change[]): { links: LinkStore; readers: Readers } {
  const groupsOf = new Map<bigint, readonly string[]>()
  const readers: Readers = {
    async of(groups) {
      const audiences = new Set<bigint>()
      for (const { audience } of all())
        if (audience.some((group) => groups.includes(group))) {
          groupsOf.set(audienceId(audience), audience)
          audiences.add(audienceId(audience))
        }
      return { groups, audiences: [...audiences], own: [...audiences], visibleBy: () => [] }
    },
  }
  const links: LinkStore = {
    async firstOffsets(asked, audiences) {
      return asked.map(({ source, target, mode }) => {
        const stated = all().filter(
          ({ entityId, links: named, audience }) =>
            entityId === source &&
            audiences.includes(audienceId(audience)) &&
            named.some((link) => link.entityId === target && link.mode === mode),
        )
        return stated.length === 0 ? null : Math.min(...stated.map(({ offset }) => offset))
      })
    },
    relationsOf: async () => ({ relations: [], cut: new Set() }),
  }
  return { links, readers }
}

/** Somebody in these groups. */
export const memberOf = (groups: readonly string[]): Identity => ({
  userId: '00000000-0000-4000-8000-00000000000b',
  roles: ['user'],
  ownGroups: groups,
  groups,
  customerId: null,
  chargedCustomerId: null,
  disabled: false,
  builtIn: false,
  bounds: null,
  by: { kind: 'session', id: 's' },
})

export type StreamsOptions = {
  partitions?: number
  atOnce?: number
  turnMs?: number
  most?: number
  batch?: number
  now?: () => number
  /** How long the history store may be away, in milliseconds. */
  patienceMs?: number
  /** Bytes that all streams together may have unread. */
  mostUnread?: number
}

export const SEALS = seals(Buffer.alloc(32, 9))

export function memoryStreams({
  partitions = 2,
  atOnce = 2,
  turnMs,
  most,
  batch,
  now = () => 1_800_000_000_000,
  patienceMs = 1_000,
  mostUnread,
}: StreamsOptions = {}) {
  const log = memoryChangeLog(partitions, batch)
  const all: Change[] = []
  const { links, readers } = linksOf(() => all)
  const failures: unknown[] = []
  const store = { isAway: false }
  const known = newLinks(links, readers)
  const tell: ReaderChanges = readerChanges(
    {
      scoring: builtIn,
      newLinks: async (reader, stated) => {
        if (store.isAway) throw new Error('the history store is away')
        return known(reader, stated)
      },
      wideViews: wideViews(async () => null),
    },
    { pausesMs: [5], forMs: patienceMs },
  )
  const onFailure = (error: unknown): void => void failures.push(error)
  const unread = unreadBound(mostUnread)
  const hub = newHub({ changes: log, tell, unread, seals: async () => SEALS, now, onFailure })
  const service = streamService({
    changes: log,
    hub,
    tell,
    unread,
    seals: async () => SEALS,
    places: openPlaces(async () => null, most),
    turns: catchUpTurns(atOnce, turnMs),
    now,
    onFailure,
  })

  return {
    log,
    hub,
    failures,
    service,
    /** The history store, which is away while a test says so. */
    store,
    /** Appends changes, each to the partition of its number. */
    append(changes: readonly Change[], partition: (change: Change) => number = ({ partition: p }) => p): void {
      for (const change of changes) {
        all.push(change)
        log.append(partition(change), [change])
      }
    },
    /** Opens a stream of lines for a member of these groups. */
    async open(
      given: Partial<StreamRequest> & { groups?: readonly string[]; sink?: MemorySink } = {},
    ): Promise<MemorySink> {
      const { groups, sink = memorySink(), ...request } = given
      const user: Identity | null = groups === undefined ? null : memberOf(groups)
      const start = await service.open({
        user,
        again: async () => user,
        ip: '192.0.2.1',
        filter: {},
        since: null,
        form: LINES,
        ...request,
      })
      await start(sink)
      return sink
    },
  }
}

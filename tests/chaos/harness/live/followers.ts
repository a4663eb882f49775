import type { EventLog } from '../../../../connectors/log/port.ts'
import type { Seals } from '../../../../schemas/cursors/seal.ts'
import { eventually, type Platform } from '../../../builders/platform/platform.ts'
import { type Bound, bounded } from '../outcome.ts'
import { type Audience, openAudience } from './audience.ts'
import { changesFromNow, type LoggedChange, seenBy } from './changes.ts'
import { dueAlerts, firedFaults } from './fired.ts'
import { startWatcher } from './watcher.ts'

const CATCH_UP_MS = 120_000
/** A destination is held for 30 s by a process that died, and what failed is tried again after 5 s and 30 s more. */
const DELIVERED_MS = 120_000

export type FollowersAt = { url: () => string; ask: Platform['ask']; log: Pick<EventLog, 'offsets' | 'read'> }

/** Twenty readers of the changes, and a user who is alerted. */
export type Followers = {
  /** Headers of that user, who may report and decide. */
  user: Record<string, string>
  /** Once all was applied: waits until all is told and delivered, and ends the streams. */
  settled(): Promise<void>
  /** What was told against the log, to be asked once; `seals`: by which the platform names its events. */
  verdict(seals: Seals): { figures: Record<string, number>; faults: string[] }
  close(): Promise<void>
}

type Found = {
  behind: number
  besideSearch: number
  before: readonly LoggedChange[]
  after: readonly LoggedChange[]
  alerts: Record<string, number>
  repeated: number
  withdrawn: number
  count: number
}

/** All streams tell what comes, and all items fire, from the moment on in which this resolves. */
export async function openFollowers({ url, ask, log }: FollowersAt): Promise<Followers> {
  const logged = await changesFromNow(log)
  const audience = await openAudience({ url, ask })
  const { user } = audience.members[2]!
  const watcher = await startWatcher(ask, user.headers)
  let found: Found | null = null

  return {
    user: user.headers,
    async settled() {
      const look = async () => audience.behind(await logged())
      const behind = await eventually(look, (left) => left === 0, CATCH_UP_MS).catch(look)
      const besideSearch = await audience.besideSearch(ask)
      const before = await logged()
      await audience.stop()
      const after = await logged()
      const due = dueAlerts(seenBy(before, user.groups), watcher.items, watcher.ids)
      const { fired, alerts, twice } = await watcher.inbox()
      const delivered = await eventually(
        async () => watcher.deliveryFaults(alerts),
        ({ undelivered }) => undelivered === 0,
        DELIVERED_MS,
      ).catch(() => watcher.deliveryFaults(alerts))
      found = {
        behind,
        besideSearch,
        before,
        after,
        alerts: { ...firedFaults(due, fired), twice, ...delivered },
        count: alerts.length,
        repeated: alerts.filter(({ count }) => count > 1).length,
        withdrawn: alerts.filter(({ withdrawnAt }) => withdrawnAt !== undefined).length,
      }
    },
    verdict(seals) {
      if (found === null) throw new Error('what was told is not settled')
      const { behind, besideSearch, before, after, alerts, count, repeated, withdrawn } = found
      const figures = {
        ...figuresOf(audience),
        alerts: count,
        'alerts that repeated': repeated,
        'alerts withdrawn': withdrawn,
        deliveries: watcher.deliveries(),
      }
      const none: Bound[] = Object.entries({ ...audience.faults(seals, before, after), ...prefixed(alerts) }).map(
        ([name, is]) => ({ name, is, atMost: 0 }),
      )
      const faults = bounded([
        { name: 'changes that readers wait for', is: behind, atMost: 0 },
        { name: 'entities told as something else than search shows', is: besideSearch, atMost: 0 },
        { name: 'alerts', is: count, atLeast: 1 },
        { name: 'deliveries', is: watcher.deliveries(), atLeast: 1 },
        ...none,
      ])
      return { figures, faults: [...new Set(audience.readers.flatMap((reader) => reader.faults)), ...faults] }
    },
    async close() {
      await audience.stop()
      await watcher.close()
    },
  }
}

function figuresOf({ readers }: Audience): Record<string, number> {
  const sum = (of: (reader: (typeof readers)[number]) => number): number =>
    readers.reduce((all, reader) => all + of(reader), 0)
  return {
    told: sum((reader) => reader.told.size),
    'told again': sum((reader) => reader.again()),
    'cut off': sum((reader) => reader.losses()),
    'refused for a while': sum((reader) => reader.refusals()),
  }
}

const prefixed = (figures: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`alerts ${name}`, value]))

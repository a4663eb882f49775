import { feedChecks } from '../../../connectors/history/feeds-out/checks.ts'
import { generations } from '../../../connectors/history/generations/generations.ts'
import type { History } from '../../../connectors/history/port.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import type { FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import { rulesIn } from '../../../schemas/intelligence/scoring/rules.ts'
import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { FEED_DELTAS } from '../../../schemas/log/topics.ts'
import { everyRecord } from '../../builders/intelligence/replay.ts'
import { ADMINISTRATOR, eventually, type Platform } from '../../builders/platform/platform.ts'

/** A feed that follows a load: its list, the mirror of a consumer of its deltas, and what its selector chooses. */

const FEEDS = '/api/feeds/v1/feeds'
const SELECTOR = { types: ['ip', 'domain', 'md5'], reputation: { lte: -1 } }
const MAX_FAULTS = 20

/** Made while the platform is empty: its first list has no item, and every item is told by a delta. */
export async function publishFeed(platform: Platform): Promise<string> {
  const { body } = await platform.ask(FEEDS, { name: 'chaos', selector: SELECTOR, guard: null })
  await eventually(
    async () => (await platform.ask(`${FEEDS}/${body.id}`)).body.state,
    (state) => state === 'live',
  )
  return body.id
}

/** A list as a client downloads it: its items by id, and its sequence. */
export type DownloadedList = { sequence: number; items: Map<string, string> }

type Item = { id: string; reputation: number; accuracy: number; tags: string[] }
const shown = ({ reputation, accuracy, tags }: Omit<Item, 'id'>): string =>
  JSON.stringify([reputation, accuracy, [...tags].sort()])

export async function downloaded(platform: Platform, feed: string): Promise<DownloadedList> {
  const response = await fetch(`${platform.url}${FEEDS}/${feed}/items.ndjson`, { headers: ADMINISTRATOR })
  if (!response.ok) throw new Error(`the list answered ${response.status}: ${await response.text()}`)
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  const items = lines.map((line): [string, string] => {
    const item = JSON.parse(line) as Item
    return [item.id, shown(item)]
  })
  return { sequence: Number(response.headers.get('x-feed-sequence')), items: new Map(items) }
}

/** `gaps`: deltas that came before the one they follow; `wrong`: additions of what was there, and the like. */
type Mirror = DownloadedList & { gaps: number; wrong: number }

const decode = decoder<FeedDelta & { feed: string } & Omit<Item, 'id'> & { entityId: string }>(
  records.feedDelta,
  (id) => (id < 1000 ? records.feedDelta : undefined),
)

/** What a consumer of `feed.deltas` has at the end: it knows what it is sent again by its sequence. */
async function mirrorOf(log: EventLog, feed: string): Promise<Mirror> {
  const mirror: Mirror = { sequence: 0, items: new Map(), gaps: 0, wrong: 0 }
  for (const { value } of await everyRecord(log, FEED_DELTAS)) {
    const decoded = decode(value ?? Buffer.alloc(0))
    if (!decoded.ok) throw new Error(decoded.reason)
    const { feed: of, sequence, op, entityId, ...item } = decoded.record
    if (of !== feed || sequence <= mirror.sequence) continue
    if (sequence !== mirror.sequence + 1) mirror.gaps++
    mirror.sequence = sequence
    if (mirror.items.has(entityId) !== (op !== 'add')) mirror.wrong++
    if (op === 'remove') mirror.items.delete(entityId)
    else mirror.items.set(entityId, shown(item))
  }
  return mirror
}

/** Items of one that the other has not, or not as they are. */
const beyond = (of: DownloadedList, other: DownloadedList): number =>
  [...of.items].filter(([id, item]) => other.items.get(id) !== item).length

export const FEED_RIGHT = { gaps: 0, wrong: 0, behind: 0, missing: 0, extra: 0, faults: [] }

/** Compares a downloaded list with the mirror and with the search of its selector; the platform has stopped. */
export async function comparedFeed(list: DownloadedList, feed: string, log: EventLog, home: History) {
  const mirror = await mirrorOf(log, feed)
  const { database, rules } = await generations(home, { mode: 'single', home: 'harrier' }).current()
  const checks = feedChecks(home, 'harrier')
  const head = (await checks.heads()).find((one) => one.feed.id === feed)
  if (head === undefined) throw new Error(`the feed ${feed} is not stored`)
  const faults = await checks.faults(head, { database, rules: rulesIn(rules), now: Date.now() }, MAX_FAULTS)
  const { gaps, wrong } = mirror
  const [missing, extra] = [beyond(mirror, list), beyond(list, mirror)]
  return {
    gaps,
    wrong,
    behind: mirror.sequence - list.sequence,
    missing,
    extra,
    faults: faults.map(({ text }) => text),
  }
}

import { feedChecks } from '../../../../connectors/history/feeds-out/checks.ts'
import { generations } from '../../../../connectors/history/generations/generations.ts'
import type { History } from '../../../../connectors/history/port.ts'
import type { EventLog } from '../../../../connectors/log/port.ts'
import type { FeedDelta } from '../../../../schemas/feeds-out/delta.ts'
import { rulesIn } from '../../../../schemas/intelligence/scoring/rules.ts'
import { decoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { FEED_DELTAS } from '../../../../schemas/log/topics.ts'
import { everyRecord } from '../../../builders/intelligence/replay/replay.ts'
import { ADMINISTRATOR, eventually, type Platform } from '../../../builders/platform/platform.ts'

/** Feeds that follow a load: their lists, the mirrors of consumers of their deltas, and what their selectors choose. */

/** Where a feed is asked about: a platform, or one process of the API; and by whom, default the administrator. */
type Asked = Pick<Platform, 'url' | 'ask'> & { as?: Record<string, string> }

const FEEDS = '/api/feeds/v1/feeds'
const SELECTOR = { types: ['ip', 'domain', 'md5'], reputation: { lte: -1 } }
const MAX_FAULTS = 20

/** Made while the platform is empty: its first list has no item, and every item is told by a delta. */
export async function publishFeed({ ask, as }: Asked, given: object = {}): Promise<string> {
  const { status, body } = await ask(FEEDS, { name: 'chaos', selector: SELECTOR, guard: null, ...given }, as)
  if (status !== 201) throw new Error(`no feed: ${status} ${JSON.stringify(body)}`)
  await eventually(
    async () => (await ask(`${FEEDS}/${body.id}`, undefined, as)).body.state,
    (state) => state === 'live',
  )
  return body.id
}

/** Items by id, and the sequence that they are of. */
type List = { sequence: number; items: Map<string, string> }

/** A list as a client downloads it, with the cursor of its deltas. */
export type DownloadedList = List & { cursor: string }

type Item = { id: string; reputation: number; accuracy: number; tags: string[] }
export const shown = ({ reputation, accuracy, tags }: Omit<Item, 'id'>): string =>
  JSON.stringify([reputation, accuracy, [...tags].sort()])

export async function downloaded({ url, as = ADMINISTRATOR }: Asked, feed: string): Promise<DownloadedList> {
  const response = await fetch(`${url}${FEEDS}/${feed}/items.ndjson`, { headers: as })
  if (!response.ok) throw new Error(`the list answered ${response.status}: ${await response.text()}`)
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  const items = lines.map((line): [string, string] => {
    const item = JSON.parse(line) as Item
    return [item.id, shown(item)]
  })
  const { headers } = response
  const sequence = Number(headers.get('x-feed-sequence'))
  return { sequence, items: new Map(items), cursor: headers.get('x-feed-cursor')! }
}

type Step = { sequence: number; op: FeedDelta['op'] } & Item

/**
 * `gaps`: deltas that came before the one they follow; `wrong`: additions of what was there, and the like; `altered`:
 * deltas that were told again as something else.
 */
type Mirror = List & { gaps: number; wrong: number; altered: number }

/** What somebody has who began with a list and was told these: what is told again is known by its sequence. */
export function mirrored({ sequence, items }: List, steps: Iterable<Step>): Mirror {
  const mirror: Mirror = { sequence, items: new Map(items), gaps: 0, wrong: 0, altered: 0 }
  const told = new Map<number, string>()
  for (const step of steps) {
    const text = JSON.stringify([step.op, step.id, shown(step)])
    if (step.sequence <= mirror.sequence) {
      if (told.has(step.sequence) && told.get(step.sequence) !== text) mirror.altered++
      continue
    }
    told.set(step.sequence, text)
    if (step.sequence !== mirror.sequence + 1) mirror.gaps++
    mirror.sequence = step.sequence
    if (mirror.items.has(step.id) !== (step.op !== 'add')) mirror.wrong++
    if (step.op === 'remove') mirror.items.delete(step.id)
    else mirror.items.set(step.id, shown(step))
  }
  return mirror
}

const decode = decoder<FeedDelta & { feed: string } & Omit<Item, 'id'> & { entityId: string }>(
  records.feedDelta,
  (id) => (id < 1000 ? records.feedDelta : undefined),
)

/** What a consumer of `feed.deltas` has at the end that was there when the feed was made, by feed. */
export async function topicMirrors(log: EventLog, feeds: readonly string[]): Promise<Map<string, Mirror>> {
  const steps = new Map<string, Step[]>(feeds.map((feed) => [feed, []]))
  for (const { value } of await everyRecord(log, FEED_DELTAS)) {
    const decoded = decode(value ?? Buffer.alloc(0))
    if (!decoded.ok) throw new Error(decoded.reason)
    const { feed, sequence, op, entityId: id, reputation, accuracy, tags } = decoded.record
    steps.get(feed)?.push({ sequence, op, id, reputation, accuracy, tags })
  }
  const empty = { sequence: 0, items: new Map<string, string>() }
  return new Map([...steps].map(([feed, those]) => [feed, mirrored(empty, those)]))
}

/** What a client has that began with this list and reads deltas from its cursor, until there are no more. */
export async function followed({ ask, as }: Asked, feed: string, from: DownloadedList): Promise<Mirror> {
  const steps: Step[] = []
  for (let [cursor, more] = [from.cursor, true]; more; ) {
    const path = `${FEEDS}/${feed}/delta?limit=10000&from=${encodeURIComponent(cursor)}`
    const { status, body } = await ask(path, undefined, as)
    if (status !== 200) throw new Error(`the deltas answered ${status}: ${JSON.stringify(body)}`)
    for (const { seq: sequence, ...delta } of body.items) steps.push({ sequence, ...delta })
    ;({ cursor, more } = body)
  }
  return mirrored(from, steps)
}

/** Items of one that the other has not, or not as they are. */
export const beyond = (of: List, other: List): number =>
  [...of.items].filter(([id, item]) => other.items.get(id) !== item).length

const MIRROR_RIGHT = { gaps: 0, wrong: 0, altered: 0, behind: 0, missing: 0, extra: 0 }
export const FEED_RIGHT = { ...MIRROR_RIGHT, faults: [] }

/** What is wrong with a mirror beside the list that it is of: as FEED_RIGHT when nothing is. */
export const mirrorFaults = (list: List, { gaps, wrong, altered, ...mirror }: Mirror): typeof MIRROR_RIGHT => ({
  gaps,
  wrong,
  altered,
  behind: mirror.sequence - list.sequence,
  missing: beyond(mirror, list),
  extra: beyond(list, mirror),
})

/** Compares a downloaded list with the mirror of the topic and with the search of its selector; nothing moves it now. */
export async function comparedFeed(list: DownloadedList, feed: string, log: EventLog, home: History) {
  const mirror = (await topicMirrors(log, [feed])).get(feed)!
  const { database, rules } = await generations(home, { mode: 'single', home: 'harrier' }).current()
  const checks = feedChecks(home, 'harrier')
  const head = await checks.head(feed)
  if (head === null) throw new Error(`the feed ${feed} is not stored`)
  const faults = await checks.faults(head, { database, rules: rulesIn(rules), now: Date.now() }, MAX_FAULTS)
  return { ...mirrorFaults(list, mirror), faults: faults.map(({ text }) => text) }
}

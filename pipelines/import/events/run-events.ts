import type { FeedItem, RejectedItem } from '../../../connectors/feeds/parse/item.ts'
import type { EventFault, Manifest, ManifestEntry } from '../../../connectors/feeds/parse/misp/manifest.ts'
import type { StatementStore } from '../../../connectors/feeds/statements/port.ts'
import type { FeedRegistration } from '../../../schemas/intelligence/observations/feed.ts'
import { FEEDS } from '../../../schemas/log/topics.ts'
import type { Admitted, Readers } from '../admission.ts'
import { importIds } from '../import-ids.ts'
import { runPublication } from '../publication.ts'
import type { Rejects } from '../rejects.ts'
import type { ImportPorts } from '../run-import.ts'
import { readEvent } from './read-event.ts'

/** What is handed over at once, in items. */
const GROUP = 1_000

export type EventImport = {
  feed: Omit<FeedRegistration, 'registeredAt' | 'owner'>
  readers: Readers
  /** Where the feed is, and what the import was told: with other settings all events are read again. */
  place: string
  settings: string
  manifest: Manifest
  /** What an event says. Rejects when it cannot be read. */
  read: (uuid: string) => Promise<FeedItem[]>
  rejects: Rejects
  /** Whether all events are read again, and what they say is stated again. */
  restart: boolean
  /** Unix milliseconds. */
  now: () => number
  maxObservations: number
  /** Aborted: the batch in flight is finished. */
  signal: AbortSignal
  onProgress: (state: EventCounts) => void
}

export type EventCounts = {
  /** Events that were read, and those that are as they were. */
  read: number
  unchanged: number
  /** Events that left the feed. */
  left: number
  published: number
  rejected: number
  /** Rejected for their markings alone. */
  withheld: number
}

export type EventResult = EventCounts & {
  interrupted: boolean
  faults: EventFault[]
}

/**
 * Events of a feed -> observations -> log. Only what changed is read, and of it only what is new is sent, each statement
 * once, however often the import is started again. What is gone is kept as owed: `takeBackOwed` takes it back. An event
 * that cannot be read is a fault and stays as it was (decisions 15.4; ADR 273).
 */
export async function runEventImport(
  ports: ImportPorts,
  store: StatementStore,
  plan: EventImport,
): Promise<EventResult> {
  const { feed, place, manifest } = plan
  const result: EventResult = {
    read: 0,
    unchanged: 0,
    left: 0,
    published: 0,
    rejected: 0,
    withheld: 0,
    interrupted: false,
    faults: [...manifest.faults],
  }
  const started = Math.max(plan.now(), store.position().at + 1)
  store.begin(started)
  await ports.log.send([
    {
      topic: FEEDS,
      messages: [{ key: feed.name, value: ports.encodeFeed({ ...feed, registeredAt: plan.now(), owner: null }) }],
    },
  ])

  const { seed, n: lastOfBefore, firstUnsent, marks } = store.position()
  const ids = importIds(`events ${feed.name} ${seed}`)
  /** The numbers of the statements that were handed over, by their lines; and of lines that hold none. */
  const underway = new Map<number, number>()
  const isLeft = (_: number, id: string): boolean => firstUnsent !== null && ids.isAfter(firstUnsent - 1, id)
  const { interrupted } = await runPublication<Admitted>(ports, {
    ids: { of: (line) => ids.of(underway.get(line)!), isAfter: isLeft },
    items: changedEvents(store, plan, result, underway),
    provenanceOf: ({ provenance }) => provenance,
    resumed: firstUnsent === null || marks === null ? null : { line: 0, watermarks: marks },
    maxObservations: plan.maxObservations,
    signal: plan.signal,
    async save(watermarks) {
      // What runs before left unsent may stand behind the marks that they kept.
      const { firstUnsent } = store.position()
      if (marks === null || firstUnsent === null || firstUnsent > lastOfBefore) store.keepMarks(watermarks)
    },
    async sent(batch) {
      await plan.rejects.add(batch.rejected)
      const done = [...underway].filter(([line]) => line <= batch.line)
      store.markSent(done.map(([, n]) => n))
      for (const [line] of done) underway.delete(line)
      result.published += batch.observations
      result.rejected += batch.rejected.length
      result.withheld += batch.rejected.filter((item) => 'marking' in item).length
      plan.onProgress(result)
    },
  })
  if (interrupted) return { ...result, interrupted }

  const named = new Set([
    ...manifest.entries.map(({ uuid }) => uuid),
    ...manifest.faults.map((f) => f.name.toLowerCase()),
  ])
  for (const uuid of store.events(place)) {
    if (named.has(uuid)) continue
    store.forget(place, uuid)
    result.left++
  }
  store.reconcile()
  return result
}

async function* changedEvents(
  store: StatementStore,
  plan: EventImport,
  result: EventResult,
  underway: Map<number, number>,
): AsyncGenerator<(Admitted | RejectedItem)[]> {
  const { feed, readers, place, settings, restart } = plan
  let line = 0
  for (const { uuid, stamp } of plan.manifest.entries) {
    if (plan.signal.aborted) return
    if (!restart && isKnown(store, place, settings, { uuid, stamp })) {
      result.unchanged++
      continue
    }
    let items: FeedItem[]
    try {
      items = await plan.read(uuid)
    } catch (error) {
      result.faults.push({ name: uuid, reason: (error as Error).message })
      continue
    }
    const base = Math.max(plan.now(), store.position().at + 1)
    const reading = { place, uuid, stamp, settings, rules: { feed, readers }, restart, base }
    const event = readEvent(store, items, reading)
    result.read++
    let next = 0
    const numbered = event.items.map((item): Admitted | RejectedItem => {
      if ('rejected' in item) return { ...item, line: ++line, rejected: `${uuid}: ${item.rejected}` }
      underway.set(++line, event.numbers[next++]!)
      return { ...item, line }
    })
    for (let at = 0; at < numbered.length; at += GROUP) yield numbered.slice(at, at + GROUP)
  }
}

function isKnown(store: StatementStore, place: string, settings: string, { uuid, stamp }: ManifestEntry): boolean {
  const known = store.event(place, uuid)
  return known?.isSent === true && known.settings === settings && known.stamp >= stamp
}

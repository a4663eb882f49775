import { type AcceptedItem, type FeedItem, type RejectedItem, rejected } from '../../connectors/feeds/parse/item.ts'
import type { StatedObjects } from '../../connectors/operations/stated-objects/port.ts'
import { entityId } from '../../schemas/intelligence/entities/id.ts'
import { describe } from '../../schemas/intelligence/ingest/attributes.ts'
import { audienceId } from '../../schemas/intelligence/observations/audience.ts'
import { type FeedRegistration, feedSource } from '../../schemas/intelligence/observations/feed.ts'
import {
  type Restatement,
  rememberedId,
  restated,
  type StatedObject,
  withdrawn,
} from '../../schemas/intelligence/observations/stated-object.ts'
import { FEEDS } from '../../schemas/log/topics.ts'
import { type Admitted, admission, type Readers, type Withheld } from './admission.ts'
import type { BatchItem } from './batches.ts'
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { importIds } from './import-ids.ts'
import { type PublicationPorts, runPublication } from './publication.ts'
import type { Rejects } from './rejects.ts'

type RememberRules = {
  objects: Pick<StatedObjects, 'find'>
  source: string
  admit: (item: Exclude<FeedItem, { withdrawn: unknown }>) => Admitted | RejectedItem | Withheld
  /** Unix milliseconds: the moment of the import. */
  observedAt: number
}

/** An item, and what is to be known of the object that states it from now on. */
type RememberedItem = (Admitted | RejectedItem | { line: number }) & { remembers?: StatedObject }

/** Items that are handed out at once. */
const GROUP = 1_000

/**
 * Decides what becomes of the items of a document, object by object, by what is known of the objects of the source: an
 * older version than the known one is rejected; a newer one replaces what the known one claimed; a revoked one takes it
 * back. Holds the items of the whole document, as the document itself is held.
 */
export async function* rememberObjects(
  groups: AsyncIterable<FeedItem[]>,
  { objects, source, admit, observedAt }: RememberRules,
): AsyncGenerator<RememberedItem[]> {
  const items: FeedItem[] = []
  for await (const group of groups) for (const item of group) items.push(item)
  const ids = new Set(items.map(idOf).filter((id) => id !== undefined))
  const known = await objects.find(source, ids)
  for (let from = 0, to = 0; from < items.length; ) {
    const made: RememberedItem[] = []
    for (; from < items.length && made.length < GROUP; from = to) {
      const id = idOf(items[from]!)
      to = from + 1
      while (id !== undefined && to < items.length && idOf(items[to]!) === id) to++
      const said = items.slice(from, to)
      made.push(...(id === undefined ? said.map(plain) : ofObject(id, said)))
    }
    yield made
  }

  function plain(item: FeedItem): RememberedItem {
    return 'withdrawn' in item ? { line: item.line } : admit(item)
  }

  function ofObject(id: string, said: readonly FeedItem[]): RememberedItem[] {
    const first = said[0]!
    const { version } = versionOf(first)!
    const admitted = said.flatMap((item) => ('withdrawn' in item ? [] : [admit(item)]))
    // What its readers may not see says nothing new of the object: the same import for others would take it back.
    if (admitted.some((item) => 'marking' in item && 'rejected' in item)) return admitted
    const claims = admitted.flatMap((item) => ('entity' in item ? claimOf(item, observedAt) : []))
    const before = known.get(rememberedId(id))
    const object =
      'withdrawn' in first
        ? withdrawn(before, { source, id, version })
        : restated(before, { source, id, version, at: observedAt, claims })
    if (object === null) return said.map(({ line }) => rejected(line, OLDER, id))
    known.set(object.id, object)
    const [start, ...others] = admitted.length === 0 ? [{ line: first.line }] : admitted
    return [{ ...start!, remembers: object }, ...others]
  }
}

const OLDER = 'an older version of an object that was imported before'

const versionOf = (item: FeedItem) => ('withdrawn' in item ? item.withdrawn : item.object)
const idOf = (item: FeedItem): string | undefined => versionOf(item)?.id

/** What an item claims; nothing when it is a sighting, or none that can be published. */
function claimOf({ entity, provenance, validUntil = 0 }: Admitted, now: number): Restatement['claims'] {
  if (entity.reputation === null || entity.reputation === undefined) return []
  const described = describe(entity.type, entity.attributes, '')
  if (!described.ok) return []
  const until = validUntil > now ? validUntil : 0
  return [
    {
      entityId: entityId(described.entity.type, described.entity.value),
      audience: audienceId(provenance.audience),
      until,
    },
  ]
}

/** What an import needs of the outside. */
export type ImportPorts = PublicationPorts & {
  encodeFeed: (feed: FeedRegistration) => Buffer
  /** What the objects of producers claim. */
  objects: StatedObjects
}

export type ImportPlan = {
  feed: Omit<FeedRegistration, 'registeredAt' | 'owner'>
  /** Who may read what the producer has marked. */
  readers: Readers
  /** The same bytes and options have the same key. */
  key: string
  /** null for input that cannot be recognised again, and so cannot be resumed. */
  checkpointPath: string | null
  /** Opens the feed; called once. */
  items: () => AsyncIterable<FeedItem[]>
  /** Whether its objects have ids by which they are taken back. Then all items of the document are held at once. */
  remembers: boolean
  openRejects: (already: number) => Promise<Rejects>
  /** Unix milliseconds. */
  now: number
  maxObservations: number
  /** Aborted: the batch in flight is finished, the checkpoint stays. */
  signal: AbortSignal
  onProgress: (state: ImportState) => void
}

/** `line` is the last one whose observations are durable. */
type ImportState = { line: number; published: number; rejected: number }

export type ImportResult = ImportState & {
  resumedAfter: number | null
  /** Observations that an interrupted run had published past its checkpoint. */
  recovered: number
  interrupted: boolean
  /** Rejected by this run for their markings alone. */
  withheld: number
  /** Whether the same command would go on from here. */
  resumable: boolean
}

/** feed -> observations -> log, each observation once, however often the same import is started again. */
export async function runImport(ports: ImportPorts, plan: ImportPlan): Promise<ImportResult> {
  const { feed, key, checkpointPath } = plan
  const resumed = checkpointPath === null ? null : await readCheckpoint(checkpointPath)
  const observedAt = resumed?.observedAt ?? plan.now
  const state: ImportState = {
    line: resumed?.line ?? 0,
    published: resumed?.published ?? 0,
    rejected: resumed?.rejected ?? 0,
  }
  const rejects = await plan.openRejects(state.rejected)
  await ports.log.send([
    {
      topic: FEEDS,
      messages: [{ key: feed.name, value: ports.encodeFeed({ ...feed, registeredAt: observedAt, owner: null }) }],
    },
  ])

  const admit = admission({ feed, readers: plan.readers, observedAt })
  let withheld = 0
  const { interrupted, recovered } = await runPublication<Admitted>(ports, {
    ids: importIds(`${key} ${observedAt}`),
    items: plan.remembers
      ? rememberObjects(plan.items(), { objects: ports.objects, source: feedSource(feed.name), admit, observedAt })
      : admitAll(plan.items(), admit),
    provenanceOf: ({ provenance }) => provenance,
    resumed,
    maxObservations: plan.maxObservations,
    signal: plan.signal,
    async save(watermarks) {
      if (checkpointPath !== null) await writeCheckpoint(checkpointPath, { observedAt, ...state, watermarks })
    },
    async sent(batch) {
      await rejects.add(batch.rejected)
      state.line = batch.line
      state.published += batch.observations
      state.rejected += batch.rejected.length
      withheld += batch.rejected.filter((item) => 'marking' in item).length
      plan.onProgress(state)
    },
  })
  if (!interrupted && checkpointPath !== null) await removeCheckpoint(checkpointPath)
  return {
    ...state,
    resumedAfter: resumed?.line ?? null,
    recovered,
    interrupted,
    withheld,
    resumable: checkpointPath !== null,
  }
}

async function* admitAll(
  groups: AsyncIterable<FeedItem[]>,
  admit: (item: AcceptedItem | RejectedItem) => Admitted | RejectedItem,
): AsyncGenerator<BatchItem<Admitted>[]> {
  for await (const items of groups) yield items.map((item) => ('withdrawn' in item ? { line: item.line } : admit(item)))
}

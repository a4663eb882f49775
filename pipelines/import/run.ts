import type { AcceptedItem, FeedItem, RejectedItem } from '../../connectors/feeds/parse/item.ts'
import type { StatedObjects } from '../../connectors/operations/stated-objects/port.ts'
import { type FeedRegistration, feedSource } from '../../schemas/intelligence/observations/feed.ts'
import { FEEDS } from '../../schemas/log/topics.ts'
import { type Admitted, admission, type Readers } from './admit.ts'
import type { BatchItem } from './batches.ts'
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { importIds } from './ids.ts'
import { type PublicationPorts, runPublication } from './publication.ts'
import type { Rejects } from './rejects.ts'
import { rememberObjects } from './remember.ts'

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

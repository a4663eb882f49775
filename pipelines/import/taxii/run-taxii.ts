import { isObject, type Json, textOf } from '../../../connectors/feeds/parse/document.ts'
import type { FeedItem, FeedOptions } from '../../../connectors/feeds/parse/item.ts'
import { readStix } from '../../../connectors/feeds/parse/stix/bundle.ts'
import { addLost, type Lost } from '../../../connectors/feeds/parse/stix/lost.ts'
import { type TaxiiCollection, TaxiiGap } from '../../../connectors/feeds/taxii/port.ts'
import type { Rejects } from '../rejects.ts'
import { type ImportPlan, type ImportPorts, runImport } from '../run-import.ts'
import { type Chunk, chunkName, chunksAfter } from './chunks.ts'
import { readTaxiiState, type TaxiiState, writeTaxiiState } from './state.ts'

const MOST_BYTES = 32 * 1024 ** 2
const MOST_DEFINITIONS = 1_000

/**
 * What later pages of a collection may refer to: the objects of the last chunks, 32 MiB of pages at most, and definitions
 * of markings of all of them. What is forgotten is no end of a relation any more, and a marking that is forgotten counts
 * as the strictest.
 */
function earlierObjects() {
  let chunks: { objects: Json[]; bytes: number }[] = []
  const definitions = new Map<string, Json>()
  return {
    all: (): Json[] => [...definitions.values(), ...chunks.flatMap(({ objects }) => objects)],
    add({ objects, bytes }: Chunk): void {
      const all = objects.filter(isObject)
      for (const object of all)
        if (object.type === 'marking-definition' && definitions.size < MOST_DEFINITIONS)
          definitions.set(textOf(object.id), object)
      chunks.push({ objects: all.filter(({ type }) => type !== 'marking-definition'), bytes })
      let sum = 0
      chunks = chunks.reverse().filter((chunk) => {
        sum += chunk.bytes
        return sum <= MOST_BYTES
      })
      chunks.reverse()
    },
  }
}

export type TaxiiPlan = Pick<ImportPlan, 'feed' | 'readers' | 'maxObservations'> & {
  collection: TaxiiCollection
  parse: FeedOptions
  /** The same collection and options have the same key. */
  key: string
  /** Where the state of the collection is, and the checkpoint of the chunk that is being imported. */
  statePath: string
  checkpointPath: (chunk: string) => string
  rejects: Rejects
  /** Milliseconds between polls; null: one poll. */
  everyMs: number | null
  now: () => number
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Aborted: what is being imported is finished, and nothing of what was only read is imported. */
  signal: AbortSignal
  onPoll: (sum: TaxiiSum) => void
  /** A poll after the first one failed, or one had to leave something out; the next one goes on from where it was. */
  onFailure: (error: Error) => void
  /** The server does something that makes the place that is kept less than exact. */
  onNote: (note: string) => void
}

export type TaxiiSum = {
  objects: number
  published: number
  rejected: number
  /** Rejected for their markings alone. */
  withheld: number
  lost: readonly Lost[]
  /** Everything that was added until then is imported; null: nothing was. */
  addedAfter: string | null
}

/**
 * collection -> observations -> log, from where the last import of it stood. Pages are imported as they come, some at a
 * time; where one stands is durable after each. What a stop left of a chunk is recognised when the server sends the same
 * objects again, and published once; otherwise it is published again, which adds nothing to scores (decisions 15.5).
 * @throws TaxiiFault when the first poll fails; what the log throws
 */
export async function runTaxii(ports: ImportPorts, plan: TaxiiPlan): Promise<TaxiiSum> {
  const { signal, everyMs } = plan
  const earlier = earlierObjects()
  let state: TaxiiState = await readTaxiiState(plan.statePath)
  let noted: string | null = null
  const nothing = { objects: 0, published: 0, rejected: 0, withheld: 0, lost: [] }
  let sum: TaxiiSum = { ...nothing, addedAfter: state.addedAfter }
  for (let polls = 0; !signal.aborted; polls++) {
    try {
      await poll()
    } catch (error) {
      if (signal.aborted) break
      if (polls === 0 && !(error instanceof TaxiiGap && everyMs !== null)) {
        plan.onPoll(sum)
        throw error
      }
      plan.onFailure(error as Error)
    }
    plan.onPoll(sum)
    if (everyMs === null) break
    await plan.pause(everyMs, signal)
  }
  return sum

  async function poll(): Promise<void> {
    for await (const chunk of chunksAfter(plan.collection, state, signal)) {
      if (signal.aborted) return
      if (chunk.note !== null && chunk.note !== noted) plan.onNote(chunk.note)
      noted = chunk.note
      if (chunk.objects.length > 0) await importChunk(chunk)
      earlier.add(chunk)
      await writeTaxiiState(plan.statePath, chunk.state)
      state = chunk.state
      sum = { ...sum, addedAfter: state.addedAfter }
    }
  }

  async function importChunk(chunk: Chunk): Promise<void> {
    const { feed, readers, maxObservations, parse } = plan
    const name = chunkName(state.addedAfter, chunk)
    const { items, lost } = readStix({ objects: chunk.objects }, parse, earlier.all())
    const result = await runImport(ports, {
      feed,
      readers,
      key: `${plan.key} ${name}`,
      checkpointPath: plan.checkpointPath(name),
      items: () => grouped(items),
      remembers: true,
      openRejects: async () => plan.rejects,
      now: plan.now(),
      maxObservations,
      // Nothing half: a chunk is bounded, and the stop is looked at after it.
      signal: NEVER,
      onProgress: () => undefined,
    })
    sum = {
      ...sum,
      objects: sum.objects + chunk.objects.length,
      published: sum.published + result.published,
      rejected: sum.rejected + result.rejected,
      withheld: sum.withheld + result.withheld,
      lost: addLost([sum.lost, lost]),
    }
  }
}

const NEVER = new AbortController().signal

const GROUP = 1_000

async function* grouped(items: Iterable<FeedItem>): AsyncGenerator<FeedItem[]> {
  let group: FeedItem[] = []
  for (const item of items) {
    group.push(item)
    if (group.length < GROUP) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

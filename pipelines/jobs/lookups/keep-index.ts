import type { IndexState, IndexStore, LookupIndex } from '../../../connectors/lookups/port.ts'
import {
  type ChangeBatch,
  type ChangeLog,
  NotKept,
  type PlacedChange,
} from '../../../connectors/operations/changes/port.ts'
import type { IndexedEntity } from '../../../schemas/intelligence/state/present.ts'
import { indexedChanges } from '../../processors/intelligence/indexed.ts'
import { mutex } from '../../runtime/mutex.ts'

/** The tables that are live, and what is read of them. */
export type LiveTables = {
  database: string
  /** Every entity, in parts by the digest of its value, smallest first. */
  scan(): AsyncIterable<IndexedEntity[]>
  /** All rows of these entities as they are stored now. */
  stored(entityIds: readonly string[]): Promise<IndexedEntity[]>
}

export type KeepIndexPorts = {
  indexes: IndexStore
  changes: Pick<ChangeLog, 'kept' | 'follow'>
  live(): Promise<LiveTables>
  /** The last change before an offset of a partition, and the id of its observation. */
  changeBefore(partition: number, offset: number): Promise<{ offset: number; observationId: string } | null>
  /** Resolves once what the changes before these offsets say is stored. */
  stored(before: readonly number[]): Promise<void>
}

/** What became of the index. */
export type IndexReport = { kind: 'built'; entities: number; took: number } | { kind: 'too large'; bytes: number }

export type KeepIndexOptions = {
  now: () => number
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>
  signal: AbortSignal
  /** Most bytes on the disk: beyond them there is no index. */
  maxBytes: number
  /** Whether somebody asks for an index that was begun then, unix milliseconds. */
  wanted: (builtAt: number) => boolean
  report: (news: IndexReport) => void
}

/** How often it is looked where the log ends, in milliseconds: an answer is as fresh as the last look that was reached. */
const LOOK_MS = 250
/** Looks that wait to be reached: of an index that is far behind the first ones are enough. */
const MOST_LOOKS = 1_000
/** Looks between two looks at which tables are live. */
const TABLES_EVERY = 4

/** How the index came to its end: other tables are live, it is too large, or nobody asks for it any more. */
export type IndexEnd = 'other tables' | 'too large' | 'unwanted' | 'stopped'

/**
 * entity.changes -> the index of the present rows (decisions 18.6): built from the tables where there is none that goes on
 * in the log, then kept with every change once it is stored. Resolves when it is no index of the live tables any more, is
 * too large, or was stopped; the index is removed then, but by a stop.
 * @throws what log and store throw; an index that was complete is gone on with by the next call
 */
export async function keepIndex(ports: KeepIndexPorts, options: KeepIndexOptions): Promise<IndexEnd> {
  const { indexes } = ports
  const live = await ports.live()
  let index = indexes.open()
  const goes = index !== null && options.wanted(index.state().builtAt) && (await goesOn(index.state(), live, ports))
  if (index !== null && !goes) {
    await index.close()
    indexes.clear()
    index = null
  }
  index ??= await build(live, ports, options)
  if (index === null) return options.signal.aborted ? 'stopped' : 'too large'
  let end: IndexEnd | null = null
  try {
    end = await followChanges(index, live, ports, options)
    return end
  } catch (error) {
    if (!(error instanceof NotKept)) throw error
    end = 'other tables'
    return end
  } finally {
    await index.close()
    if (end !== null && end !== 'stopped') indexes.clear()
  }
}

/** Whether the log still has what comes after the last change of the index, by which it is known again. */
async function goesOn(
  { database, positions, last }: IndexState,
  live: Pick<LiveTables, 'database'>,
  { changes, changeBefore }: Pick<KeepIndexPorts, 'changes' | 'changeBefore'>,
): Promise<boolean> {
  const kept = await changes.kept()
  if (database !== live.database || positions.length > kept.length) return false
  for (const [partition, { low, high }] of kept.entries()) {
    const at = positions[partition] ?? 0
    if (at < low || at > high) return false
    const known = last[partition] ?? null
    if (known === null) continue
    const found = await changeBefore(partition, known.offset + 1)
    if (found?.observationId !== known.observationId) return false
  }
  return true
}

/** null: it was stopped, or it is too large. What was begun is removed then. */
async function build(
  live: LiveTables,
  { indexes, changes, changeBefore, stored }: KeepIndexPorts,
  { now, signal, maxBytes, report }: KeepIndexOptions,
): Promise<LookupIndex | null> {
  const began = now()
  const positions = (await changes.kept()).map(({ high }) => high)
  // What was said before is read in the tables.
  await stored(positions)
  const last = await Promise.all(positions.map((offset, partition) => changeBefore(partition, offset)))
  const index = indexes.begin({ database: live.database, positions, last })
  let entities = 0
  try {
    for await (const part of live.scan()) {
      if (signal.aborted || index.bytes() > maxBytes) break
      await index.append(part, {})
      entities += part.length
    }
    if (signal.aborted) return await given(null)
    if (index.bytes() > maxBytes) {
      report({ kind: 'too large', bytes: index.bytes() })
      return await given(null)
    }
    await index.append([], { complete: true })
    index.promote()
    report({ kind: 'built', entities, took: now() - began })
    return index
  } catch (error) {
    await index.close()
    throw error
  }

  async function given(nothing: null): Promise<null> {
    await index.close()
    return nothing
  }
}

/** A moment, and where the changes ended then. */
type Look = { at: number; ends: readonly number[] }

async function followChanges(
  index: LookupIndex,
  live: LiveTables,
  { changes, live: liveNow }: KeepIndexPorts,
  { now, pause, signal, maxBytes, wanted, report }: KeepIndexOptions,
): Promise<IndexEnd> {
  const indexed = indexedChanges()
  /** By partition of the changes and of the observations, the last observation that was applied: a range may be sent again. */
  const applied = new Map<string, number>()
  const looks: Look[] = []
  const one = mutex()
  let reached = index.state().asOf

  /** When the index had everything that was on the log, once it is at these positions. */
  function asOf(positions: readonly number[]): number {
    while (looks[0]?.ends.every((end, partition) => (positions[partition] ?? 0) >= end)) reached = looks.shift()!.at
    return reached
  }

  /** One batch after another: what is written with one of them names no other one. */
  const apply = ({ partition, to, changes: placed }: ChangeBatch): Promise<void> =>
    one.take(async () => {
      const entities = await entitiesOf(partition, placed)
      const state = index.state()
      const positions = withPlace(state.positions, partition, to)
      const final = placed.at(-1)
      const last =
        final === undefined
          ? state.last
          : withPlace(state.last, partition, { offset: final.offset, observationId: final.change.observationId })
      await index.put(entities, { positions, last, asOf: asOf(positions) })
    })

  async function entitiesOf(partition: number, placed: readonly PlacedChange[]): Promise<IndexedEntity[]> {
    const entities = new Map<string, IndexedEntity>()
    const unsure = new Set<string>()
    for (const { change } of placed) {
      const from = `${partition} ${change.partition}`
      if (change.offset <= (applied.get(from) ?? -1)) continue
      applied.set(from, change.offset)
      const entity = indexed(change)
      // Of several the last one says all.
      entities.delete(change.entityId)
      unsure.delete(change.entityId)
      if (entity === null) unsure.add(change.entityId)
      else entities.set(change.entityId, entity)
    }
    return [...entities.values(), ...(unsure.size > 0 ? await live.stored([...unsure]) : [])]
  }

  const following = await changes.follow(index.state().positions, apply)
  const ended = following.closed.then(() => undefined)
  ended.catch(() => undefined)
  try {
    for (let look = 0; !signal.aborted; look++) {
      const at = now()
      const ends = (await changes.kept()).map(({ high }) => high)
      if (looks.length < MOST_LOOKS) looks.push({ at, ends })
      await one.take(async () => {
        const { positions, asOf: before } = index.state()
        const after = asOf(positions)
        if (after !== before) await index.put([], { asOf: after })
      })
      const bytes = index.bytes()
      if (bytes > maxBytes) {
        report({ kind: 'too large', bytes })
        return 'too large'
      }
      if (look % TABLES_EVERY === 0) {
        if (!wanted(index.state().builtAt)) return 'unwanted'
        if ((await liveNow()).database !== live.database) return 'other tables'
      }
      await Promise.race([pause(LOOK_MS, signal), ended])
    }
    return 'stopped'
  } finally {
    await following.stop()
  }
}

/** Of a partition that was added since there is no place yet. */
function withPlace<T>(all: readonly T[], partition: number, place: T): T[] {
  const places = [...all]
  places[partition] = place
  return places
}

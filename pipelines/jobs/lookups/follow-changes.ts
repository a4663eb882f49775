import type { IndexState, LookupIndex } from '../../../connectors/lookups/port.ts'
import type { ChangeBatch, PlacedChange } from '../../../connectors/operations/changes/port.ts'
import type { IndexedEntity } from '../../../schemas/intelligence/state/present.ts'
import { indexedChanges } from '../../processors/intelligence/rows/indexed.ts'
import { mutex } from '../../runtime/mutex.ts'
import type { IndexEnd, KeepIndexOptions, KeepIndexPorts, LiveTables } from './ports.ts'

/** How often it is looked where the log ends, in milliseconds: an answer is as fresh as the last look that was reached. */
const LOOK_MS = 250
/** Looks that wait to be reached: of an index that is far behind the first ones are enough. */
const MOST_LOOKS = 1_000
/** Looks between two looks at which tables are live. */
const TABLES_EVERY = 4
/** Longer than a reader goes by what it last saw of the index. */
const AWAY_MS = 200

/** A moment, and where the changes ended then. */
type Look = { at: number; ends: readonly number[] }

/** When the index had everything that was on the log, by looks at where it ends. `began`: of before the first one. */
function freshness(began: number) {
  let looks: Look[] = []
  let reached = began
  let epoch = 0
  return {
    async look({ changes, now }: Pick<KeepIndexPorts, 'changes'> & Pick<KeepIndexOptions, 'now'>): Promise<void> {
      const at = now()
      const of = epoch
      const ends = (await changes.kept()).map(({ high }) => high)
      if (of === epoch && looks.length < MOST_LOOKS) looks.push({ at, ends })
    },
    /** The last look that is reached at these positions. */
    asOf(positions: readonly number[]): number {
      let at = reached
      for (const look of looks) {
        if (look.ends.some((end, partition) => (positions[partition] ?? 0) < end)) break
        at = look.at
      }
      return at
    },
    /** The index says that it is as of this look: what could not be written does not count. */
    isAsOf(at: number): void {
      reached = at
      looks = looks.filter((look) => look.at > at)
    },
    /** What was looked at so far does not count. */
    forget(): void {
      looks = []
      reached = 0
      epoch++
    },
  }
}

/** Applies changes to an index from where it is, until it comes to its end. @throws what log and store throw */
export async function followChanges(
  index: LookupIndex,
  live: LiveTables,
  { changes, live: liveNow }: KeepIndexPorts,
  { now, pause, signal, maxBytes, wanted, report }: KeepIndexOptions,
): Promise<IndexEnd> {
  const indexed = indexedChanges()
  const fresh = freshness(index.state().asOf)
  const one = mutex()

  /** One batch after another: what is written with one of them names no other one. */
  const apply = ({ partition, to, changes: placed }: ChangeBatch): Promise<void> =>
    one.take(async () => {
      const { state, entities } = await appliedTo(index.state(), partition, placed)
      const positions = withPlace(state.positions, partition, to, 0)
      const final = placed.at(-1)
      const place = final && { offset: final.offset, observationId: final.change.observationId }
      const last = place === undefined ? state.last : withPlace(state.last, partition, place, null)
      const at = fresh.asOf(positions)
      await index.put(entities, { positions, last, applied: state.applied, asOf: at })
      fresh.isAsOf(at)
    })

  async function appliedTo(before: IndexState, partition: number, placed: readonly PlacedChange[]) {
    const applied = { ...before.applied }
    const entities = new Map<string, IndexedEntity>()
    const unsure = new Set<string>()
    for (const { change } of placed) {
      const from = `${partition} ${change.partition}`
      if (change.offset <= (applied[from] ?? -1)) continue
      applied[from] = change.offset
      const entity = indexed(change)
      // Of several the last one says all.
      entities.delete(change.entityId)
      unsure.delete(change.entityId)
      if (entity === null) unsure.add(change.entityId)
      else entities.set(change.entityId, entity)
    }
    const read = unsure.size === 0 ? [] : await storedNow([...unsure])
    return { state: { ...before, applied }, entities: [...entities.values(), ...read] }
  }

  /** What is stored may be newer than changes that are still to come: until those are applied, the store answers. */
  async function storedNow(entityIds: readonly string[]): Promise<IndexedEntity[]> {
    if (index.state().asOf !== 0) {
      await index.put([], { asOf: 0 })
      await pause(AWAY_MS, signal)
    }
    const found = await live.stored(entityIds)
    fresh.forget()
    return found
  }

  const ending = new AbortController()
  const waiting = AbortSignal.any([signal, ending.signal])
  const failures: unknown[] = []
  const { positions: begins } = index.state()
  // Of partitions that were added since, from their beginning.
  const places = (await changes.kept()).map((_, partition) => begins[partition] ?? 0)
  const following = await changes.follow(places, apply)
  following.closed.catch((error: unknown) => failures.push(error)).finally(() => ending.abort())
  try {
    for (let look = 0; !waiting.aborted; look++) {
      await fresh.look({ changes, now })
      await one.take(async () => {
        const { positions, asOf: before } = index.state()
        const after = fresh.asOf(positions)
        if (after !== before) await index.put([], { asOf: after })
        fresh.isAsOf(after)
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
      await pause(LOOK_MS, waiting)
    }
    if (failures.length > 0) throw failures[0]
    return 'stopped'
  } finally {
    await following.stop()
  }
}

/** Of partitions that were added since there is no place yet. */
function withPlace<T>(all: readonly T[], partition: number, place: T, none: T): T[] {
  const places = [...all]
  while (places.length < partition) places.push(none)
  places[partition] = place
  return places
}

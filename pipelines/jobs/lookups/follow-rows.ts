import type { AppliedTo, IndexState, LookupIndex } from '../../../connectors/lookups/port.ts'
import type { PlacedRows } from '../../../connectors/operations/rows/port.ts'
import { ENTRY_FORM } from '../../../schemas/intelligence/state/rows/entry.ts'
import { entriesIn, type KeyedEntry, type StoredRows } from '../../../schemas/intelligence/state/rows/stored-rows.ts'
import { mutex } from '../../runtime/mutex.ts'
import type { IndexEnd, KeepIndexOptions, KeepIndexPorts, LiveTables } from './ports.ts'

/** How often it is looked how far the tables are, in milliseconds: an answer is as fresh as the last look that was reached. */
const LOOK_MS = 250
/** Looks that wait to be reached: of an index that is far behind the first ones are enough. */
const MOST_LOOKS = 1_000
/** Looks between two looks at which tables are live. */
const TABLES_EVERY = 4

/** A moment, and by partition of the observations what was stored then. */
type Look = { at: number; stored: readonly number[] }

const hasAll = (applied: readonly (AppliedTo | null)[], stored: readonly number[]): boolean =>
  stored.every((offset, partition) => (applied[partition]?.to ?? 0) >= offset)

/** When the index had everything that was stored, by looks at how far the tables are. `began`: of before the first one. */
function freshness(began: number) {
  let looks: Look[] = []
  let reached = began
  return {
    add(look: Look): void {
      if (looks.length < MOST_LOOKS) looks.push(look)
    },
    /** The last look that is reached. */
    asOf(applied: readonly (AppliedTo | null)[]): number {
      let at = reached
      for (const look of looks) {
        if (!hasAll(applied, look.stored)) break
        at = look.at
      }
      return at
    },
    /** The index says that it is as of this look: what could not be written does not count. */
    isAsOf(at: number): void {
      reached = at
      looks = looks.filter((look) => look.at > at)
    },
  }
}

/** What a record is to an index that has everything below an offset of its partition. */
function placeOf({ from, to }: Pick<StoredRows, 'from' | 'to'>, applied: number): 'known' | 'next' | 'beyond' {
  if (to <= applied) return 'known'
  return from <= applied ? 'next' : 'beyond'
}

/**
 * Applies the rows of batches to an index from where it is, until it comes to its end. A batch that is missing, as of a job
 * that did not know that an index is wanted, is its end too.
 * @throws what log and store throw
 */
export async function followRows(
  index: LookupIndex,
  live: LiveTables,
  { rows: log, live: liveNow }: KeepIndexPorts,
  { now, pause, signal, maxBytes, wanted, report }: KeepIndexOptions,
): Promise<IndexEnd> {
  const fresh = freshness(index.state().asOf)
  const one = mutex()
  const ending = new AbortController()
  const waiting = AbortSignal.any([signal, ending.signal])
  /** Batches of which the last part is still to come, by their partition; `next`: the part that is. */
  const begun = new Map<number, { from: number; to: number; offset: number; next: number }>()
  let end: IndexEnd | null = null

  function endAs(why: IndexEnd): void {
    end ??= why
    ending.abort()
  }

  const apply = (records: readonly PlacedRows[], to: number): Promise<void> =>
    one.take(async () => {
      let { applied } = index.state()
      const entries: KeyedEntry[] = []
      for (const { rows, offset } of records) {
        const why = rows === null ? 'missing' : faultOf(rows, offset, applied)
        if (why === 'known') continue
        const found = why === null ? entriesIn(rows!) : null
        if (found === null) return endAs(why ?? 'missing')
        for (const entry of found) entries.push(entry)
        if (rows!.last) applied = withPlace(applied, rows!.partition, { to: rows!.to, seal: rows!.seal })
      }
      if (end !== null) return
      // What is begun is read again by whoever goes on from here.
      const position = Math.min(to, ...Array.from(begun.values(), ({ offset }) => offset))
      const at = fresh.asOf(applied)
      await index.put(entries, { position, applied, asOf: at })
      fresh.isAsOf(at)
    })

  /** Why a record is not applied; null: it is what comes next. */
  function faultOf(record: StoredRows, offset: number, applied: IndexState['applied']): 'known' | IndexEnd | null {
    const { partition, from, to, part, last } = record
    const place = placeOf(record, applied[partition]?.to ?? 0)
    if (place === 'known') return 'known'
    if (record.database !== live.database) return 'other tables'
    if (part === 0) begun.set(partition, { from, to, offset, next: 0 })
    const of = begun.get(partition)
    const isNext = of !== undefined && of.from === from && of.to === to && of.next === part
    if (record.form !== ENTRY_FORM || place === 'beyond' || !isNext) return 'missing'
    if (last) begun.delete(partition)
    else of.next++
    return null
  }

  /** Rows are sent before they are stored, so what is stored and not on the log will never be. */
  async function look(): Promise<void> {
    const at = now()
    const stored = await log.stored()
    const { high } = await log.kept()
    await one.take(async () => {
      const { applied, position, asOf: before } = index.state()
      if (position >= high && !hasAll(applied, stored)) return endAs('missing')
      fresh.add({ at, stored })
      const after = fresh.asOf(applied)
      if (after !== before) await index.put([], { asOf: after })
      fresh.isAsOf(after)
    })
  }

  const failures: unknown[] = []
  const following = await log.follow(index.state().position, apply)
  following.closed.catch((error: unknown) => failures.push(error)).finally(() => ending.abort())
  try {
    for (let n = 0; !waiting.aborted; n++) {
      await look()
      const bytes = index.bytes()
      if (bytes > maxBytes) {
        report({ kind: 'too large', bytes })
        return 'too large'
      }
      if (n % TABLES_EVERY === 0) {
        if (!wanted(index.state().builtAt)) return 'unwanted'
        if ((await liveNow()).database !== live.database) return 'other tables'
      }
      await pause(LOOK_MS, waiting)
    }
    if (failures.length > 0) throw failures[0]
    return end ?? 'stopped'
  } finally {
    await following.stop()
  }
}

/** Of partitions that were added since there is no place yet. */
function withPlace(all: readonly (AppliedTo | null)[], partition: number, place: AppliedTo): (AppliedTo | null)[] {
  const places = [...all]
  while (places.length < partition) places.push(null)
  places[partition] = place
  return places
}

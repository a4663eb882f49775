/**
 * Everything around the job that keeps an index, in memory: a job that stores observations, its rows on the log, and indexes
 * that are looked at after each write. What the rows of an entity are, its only tag says: the number of its observation.
 */

import { OffsetGone } from '../../../connectors/log/port.ts'
import type { IndexState, IndexStore, LookupIndex } from '../../../connectors/lookups/port.ts'
import type { PlacedRows } from '../../../connectors/operations/rows/port.ts'
import { keepIndex } from '../../../pipelines/jobs/lookups/keep-index.ts'
import type { IndexEnd, IndexReport, KeepIndexOptions, KeepIndexPorts } from '../../../pipelines/jobs/lookups/ports.ts'
import { mutex } from '../../../pipelines/runtime/mutex.ts'
import type { IndexedEntity } from '../../../schemas/intelligence/state/present.ts'
import { ENTRY_FORM } from '../../../schemas/intelligence/state/rows/entry.ts'
import { readEntry } from '../../../schemas/intelligence/state/rows/read-entry.ts'
import type { KeyedEntry, StoredRows } from '../../../schemas/intelligence/state/rows/stored-rows.ts'
import { entityRow } from '../intelligence/entity-row.ts'
import { packed } from './keyed.ts'

type Kept = { state: IndexState; entities: Map<string, number>; open: boolean }
type Observed = { value: string; tag: number }
/** How far the job is with a batch. */
type Stage = 'sent' | 'stored'

const named = (value: string, tag: number): IndexedEntity => ({
  type: 'ip',
  value,
  wide: false,
  rows: [entityRow({ tags: [String(tag)] })],
})

const NEVER = 1_000
/** Entities of a part of a batch. */
const PART = 2

export function indexWorld(partitions = 1) {
  /** By partition: what was observed, what of it is stored, and the batch that is under way. */
  const observed: Observed[][] = Array.from({ length: partitions }, () => [])
  const committed: number[] = Array.from({ length: partitions }, () => 0)
  const running: ({ to: number; stage: Stage } | null)[] = Array.from({ length: partitions }, () => null)
  const rows: (StoredRows | null)[] = []
  let low = 0
  let log = 'log'
  /** What is stored: the tag of each value. */
  const tables = new Map<string, number>()
  const world = {
    clock: 1,
    database: 'live',
    wanted: true,
    /** Whether the job knows that an index is wanted. */
    sends: true,
    maxBytes: NEVER,
    /** Bytes of an index for each entity. */
    weight: 1,
    current: null as Kept | null,
    others: [] as Kept[],
    reports: [] as IndexReport[],
    follows: [] as number[],
    said: [] as number[],
    /** What is called before each step of the job that keeps the index, with its name. */
    step: async (_: string): Promise<void> => undefined,
    /** What no write may leave behind. */
    faults: [] as string[],
  }
  let following: {
    at: number
    each: (records: readonly PlacedRows[], to: number) => Promise<void>
    fail: (error: unknown) => void
  } | null = null
  const waiting: (() => void)[] = []
  const delivering = mutex()
  let handedOver: Promise<unknown> = Promise.resolve()
  let count = 0

  const sealOf = (partition: number, offset: number): string => `${log} ${partition} ${offset}`

  /** The last tag of a value among the first observations of a partition. */
  const tagAt = (partition: number, value: string, to: number): number | undefined =>
    observed[partition]!.slice(0, to).findLast((one) => one.value === value)?.tag

  /** Whatever was written so far, a reader may read. */
  function look({ state, entities }: Kept): void {
    if (state.asOf === 0) return
    for (const [partition, all] of observed.entries()) {
      const to = state.applied[partition]?.to ?? 0
      for (const value of new Set(all.map((one) => one.value))) {
        const [least, found] = [tagAt(partition, value, to) ?? 0, entities.get(value) ?? 0]
        if (found < least) world.faults.push(`${value}: ${found}, and ${least} is applied`)
        if (found > (tables.get(value) ?? 0)) world.faults.push(`${value}: ${found} is not stored`)
      }
    }
  }

  function opened(kept: Kept): LookupIndex {
    kept.open = true
    async function write(entities: readonly [string, number][], state: Partial<IndexState>): Promise<void> {
      await world.step('write')
      if (!kept.open) world.faults.push('a closed index is written to')
      const before = kept.state
      for (const [value, tag] of entities) {
        // While it is as of some time, readers have seen what it says.
        if (before.asOf > 0 && tag < (kept.entities.get(value) ?? 0)) world.faults.push(`${value} goes back to ${tag}`)
        kept.entities.set(value, tag)
      }
      kept.state = { ...before, ...state }
      if (kept.state.asOf < before.asOf) world.faults.push('asOf goes back')
      if (kept === world.current) look(kept)
    }
    return {
      state: () => kept.state,
      append: (entities, state) =>
        write(
          entities.map(({ value, rows }) => [value, Number(rows[0]!.tags[0])]),
          state,
        ),
      put: (entries, state) => write(entries.map(said), state),
      bytes: () => kept.entities.size * world.weight,
      async close() {
        kept.open = false
      },
    }
  }

  const indexes: IndexStore = {
    open: () => world.current && opened(world.current),
    begin(of) {
      const state = { ...of, form: ENTRY_FORM, complete: false, builtAt: world.clock, asOf: 0 }
      const kept: Kept = { state, entities: new Map(), open: true }
      world.others.push(kept)
      return {
        ...opened(kept),
        promote() {
          if (!kept.state.complete) world.faults.push('half an index is read')
          world.current = kept
        },
      }
    },
    clear() {
      if (world.current?.open) world.faults.push('an index is removed while it is open')
      world.current = null
    },
  }

  const ports: KeepIndexPorts = {
    indexes,
    rows: {
      async kept() {
        await world.step('kept')
        return { low, high: rows.length }
      },
      async stored() {
        await world.step('stored')
        const at = [...committed]
        await world.step('the way back')
        return at
      },
      async sealBefore(partition, offset) {
        await world.step('sealBefore')
        return offset > 0 && offset <= observed[partition]!.length ? sealOf(partition, offset - 1) : null
      },
      async want(until) {
        await world.step('want')
        world.said.push(until)
      },
      async follow(from, each) {
        await world.step('follow')
        world.follows.push(from)
        if (from < low) throw new OffsetGone('entity.rows', 0, from, { low, high: rows.length })
        const closed = Promise.withResolvers<void>()
        following = { at: from, each, fail: closed.reject }
        return {
          closed: closed.promise,
          async stop() {
            following = null
            await handedOver
            closed.resolve()
          },
        }
      },
    },
    async live() {
      await world.step('live')
      return {
        database: world.database,
        async *scan() {
          const all = [...tables.keys()]
          for (let at = 0; at < Math.max(1, all.length); at += 2) {
            await world.step('scan')
            yield all.slice(at, at + 2).map((value) => named(value, tables.get(value)!))
          }
        },
      }
    },
  }

  /** Rows are handed over once they are stored. */
  const isStored = (one: StoredRows | null): boolean => one === null || committed[one.partition]! >= one.to

  async function deliver(records: number): Promise<void> {
    for (let n = 0; n < records && following !== null; n++) {
      const { at, each, fail } = following
      if (at >= rows.length || !isStored(rows[at]!)) return
      const handing = each([{ rows: rows[at]!, offset: at }], at + 1)
      handedOver = handing.catch(() => undefined)
      try {
        await handing
        if (following !== null) following.at = at + 1
      } catch (error) {
        fail(error)
        return
      }
    }
  }

  function send(partition: number, to: number): void {
    const from = committed[partition]!
    const values = [...new Set(observed[partition]!.slice(from, to).map((one) => one.value))]
    const of = { form: ENTRY_FORM, database: world.database, partition, from, to, seal: sealOf(partition, to - 1) }
    for (let part = 0; part * PART < Math.max(1, values.length); part++) {
      const some = values.slice(part * PART, (part + 1) * PART)
      const entries = packed(some.map((value) => named(value, tagAt(partition, value, to)!)))
      rows.push({ ...of, part, last: (part + 1) * PART >= values.length, entries })
    }
  }

  const api = {
    world,
    tables,
    ports,
    /** An observation of a value. */
    observe(value: string, partition = 0): number {
      observed[partition]!.push({ value, tag: ++count })
      return count
    },
    /** The job goes on with a partition: its batch is sent, then stored, then committed. False: there is nothing to do. */
    step(partition = 0): boolean {
      const batch = running[partition]
      if (batch === null || batch === undefined) {
        const to = observed[partition]!.length
        if (to === committed[partition]) return false
        if (world.sends) send(partition, to)
        running[partition] = { to, stage: 'sent' }
      } else if (batch.stage === 'sent') {
        for (const { value } of observed[partition]!.slice(committed[partition], batch.to))
          tables.set(value, tagAt(partition, value, batch.to)!)
        batch.stage = 'stored'
      } else {
        committed[partition] = batch.to
        running[partition] = null
      }
      return true
    },
    /** The job is ended: its batch begins again, and is sent again. */
    kill(partition = 0): void {
      const batch = running[partition]
      if (batch && world.sends) send(partition, batch.to)
      if (batch) batch.stage = 'sent'
    },
    /** Everything that was observed is stored. */
    work(): void {
      for (const partition of observed.keys()) while (this.step(partition));
    },
    report(value: string, partition = 0): number {
      const tag = this.observe(value, partition)
      this.work()
      return tag
    },
    /** Rows before an offset are gone. */
    dropBefore(offset: number): void {
      low = offset
    },
    /** One that cannot be read. */
    garbage(): void {
      rows.push(null)
    },
    rows,
    addPartition(): void {
      observed.push([])
      committed.push(0)
      running.push(null)
    },
    /** Another log in the place of this one, as long as it was. */
    renew(): void {
      log = 'another'
    },
    /** Hands over what there is, one record after another. */
    deliver: (records = NEVER): Promise<void> => delivering.take(() => deliver(records)),
    /** Time goes on, and every pause ends. */
    async tick(): Promise<void> {
      world.clock++
      for (const resolve of waiting.splice(0)) resolve()
      for (let i = 0; i < 20; i++) await new Promise(setImmediate)
    },
    isFollowing: () => following !== null,
    /** What the index that is read says. */
    said: () => Object.fromEntries(world.current?.entities ?? []),
    asOf: () => world.current?.state.asOf ?? null,
    fail: (error: unknown) => following!.fail(error),
    run(options: Partial<KeepIndexOptions> = {}) {
      const stopping = new AbortController()
      const ended = keepIndex(ports, {
        now: () => world.clock,
        pause: (_, signal) =>
          new Promise<void>((resolve) => {
            if (signal.aborted) resolve()
            waiting.push(resolve)
            signal.addEventListener('abort', () => resolve(), { once: true })
          }),
        signal: stopping.signal,
        maxBytes: world.maxBytes,
        wanted: () => world.wanted,
        report: (news) => world.reports.push(news),
        ...options,
      })
      ended.catch(() => undefined)
      const abort = (): void => stopping.abort()
      return {
        ended,
        abort,
        async stop(): Promise<IndexEnd> {
          abort()
          return ended
        },
      }
    },
  }
  return api
}

/** The value and the tag of an entry. */
function said({ entry }: KeyedEntry): [string, number] {
  const value = entry.toString('utf8', 2, 2 + entry.readUInt16LE(0))
  const rows: Parameters<typeof readEntry>[3] = []
  readEntry(entry, { value, digest: '', whole: false }, () => true, rows)
  return [value, Number(rows[0]!.tags[0])]
}

export type IndexWorld = ReturnType<typeof indexWorld>

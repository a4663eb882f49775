/**
 * Everything around the job that keeps an index, in memory: tables, changes, and indexes that are looked at after each
 * write. What the rows of an entity are at an offset of the changes, its only tag says.
 */

import type { IndexState, IndexStore, LookupIndex } from '../../../connectors/lookups/port.ts'
import { type ChangeBatch, NotKept, type PlacedChange } from '../../../connectors/operations/changes/port.ts'
import { keepIndex } from '../../../pipelines/jobs/lookups/keep-index.ts'
import type { IndexEnd, IndexReport, KeepIndexOptions, KeepIndexPorts } from '../../../pipelines/jobs/lookups/ports.ts'
import { mutex } from '../../../pipelines/runtime/mutex.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import type { IndexedEntity } from '../../../schemas/intelligence/state/present.ts'
import { entityRow } from '../intelligence/entity-row.ts'

type Kept = { state: IndexState; entities: Map<string, string>; open: boolean; bytes: number }
type Given = { again?: number; old?: boolean; from?: number }

const named = (value: string, tag: string): IndexedEntity => ({
  type: 'ip',
  value,
  wide: false,
  rows: [entityRow({ tags: [tag] })],
})

function changeOf(value: string, tag: string, offset: number, { old = false, from = 0 }: Given): Change {
  const after = { ...entityRow({ tags: [tag] }), attributes: {}, claims: [] }
  const row = { audience: ['public'], step: 'changed', after, before: null, described: false, told: true, was: null }
  return {
    id: '',
    observationId: `${from}-${offset}`,
    cause: 'report',
    entityId: entityId('ip', value),
    type: 'ip',
    value,
    sourceKind: 'user',
    observedAt: 0,
    partition: from,
    offset,
    audience: ['public'],
    links: [],
    wide: false,
    foldedBy: null,
    rows: old ? [] : [row as Change['rows'][number]],
  }
}

const NEVER = 1_000

export function indexWorld(partitions = 1) {
  /** By partition of the changes. */
  const log: (PlacedChange & { tag: string })[][] = Array.from({ length: partitions }, () => [])
  const lows: number[] = Array.from({ length: partitions }, () => 0)
  /** What is stored: the tag of each value. */
  const tables = new Map<string, string>()
  const world = {
    clock: 1,
    database: 'live',
    wanted: true,
    maxBytes: NEVER,
    /** Changes of one batch. */
    batch: NEVER,
    /** Bytes of an index for each entity. */
    weight: 1,
    current: null as Kept | null,
    others: [] as Kept[],
    reports: [] as IndexReport[],
    follows: [] as number[][],
    /** What is called before each step of the job, with its name. */
    step: async (_: string): Promise<void> => undefined,
    /** Of the job that runs. */
    signal: null as AbortSignal | null,
    /** What no write may leave behind. */
    faults: [] as string[],
  }
  let following: { at: number[]; each: (batch: ChangeBatch) => Promise<void>; fail: (error: unknown) => void } | null =
    null
  const waiting: (() => void)[] = []
  const delivering = mutex()
  let handedOver: Promise<unknown> = Promise.resolve()
  let observed = 0

  /** The last one of what was applied of a value, in the order of the observations. */
  const tagAt = (partition: number, value: string, offset: number): number =>
    Math.max(...log[partition]!.map((one) => (one.offset < offset && one.change.value === value ? Number(one.tag) : 0)))

  /** Whatever was written so far, a reader may read. */
  function look({ state, entities }: Kept): void {
    for (const [partition, records] of log.entries()) {
      const at = state.positions[partition] ?? 0
      for (const { change, offset, time, tag } of records) {
        const isApplied = offset < at
        if (time < state.asOf && !isApplied) world.faults.push(`as of ${state.asOf}, ${partition}/${offset} is missing`)
        if (!isApplied || tagAt(partition, change.value, at) !== Number(tag)) continue
        const found = entities.get(change.value)
        // What was read in the tables may be newer, until the index is read.
        const isRight = state.asOf > 0 ? found === tag : Number(found) >= Number(tag)
        if (!isRight) world.faults.push(`${change.value}: ${found}, not ${tag}, as of ${state.asOf}`)
      }
    }
  }

  function opened(kept: Kept): LookupIndex {
    kept.open = true
    async function write(entities: readonly IndexedEntity[], state: Partial<IndexState>): Promise<void> {
      await world.step('write')
      if (!kept.open) world.faults.push('a closed index is written to')
      const before = kept.state
      for (const { value, rows } of entities) {
        const tag = rows[0]!.tags[0]!
        const former = kept.entities.get(value)
        // While it is as of some time, readers have seen what it says.
        if (before.asOf > 0 && former !== undefined && Number(tag) < Number(former))
          world.faults.push(`${value} goes back from ${former} to ${tag}`)
        kept.entities.set(value, tag)
      }
      kept.state = { ...before, ...state }
      if (kept.state.asOf < before.asOf && kept.state.asOf !== 0) world.faults.push('asOf goes back')
      if (kept === world.current) look(kept)
    }
    return {
      state: () => kept.state,
      append: write,
      put: write,
      bytes: () => kept.entities.size * world.weight,
      async close() {
        kept.open = false
      },
    }
  }

  const indexes: IndexStore = {
    open: () => world.current && opened(world.current),
    begin(of) {
      const state = { ...of, form: 'f', complete: false, builtAt: world.clock, applied: {}, asOf: 0 }
      const kept: Kept = { state, entities: new Map(), open: true, bytes: 0 }
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
    changes: {
      async kept() {
        await world.step('kept')
        const kept = log.map((records, partition) => ({ low: lows[partition]!, high: records.length }))
        await world.step('the way back')
        return kept
      },
      async follow(from, each) {
        await world.step('follow')
        const at = [...from!]
        world.follows.push([...at])
        for (const [partition, offset] of at.entries())
          if (offset < lows[partition]!) throw new NotKept(`${offset} is gone`)
        const closed = Promise.withResolvers<void>()
        following = { at, each, fail: closed.reject }
        return {
          from: at,
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
          const all = [...tables]
          for (let at = 0; at < Math.max(1, all.length); at += 2) {
            await world.step('scan')
            yield all.slice(at, at + 2).map(([value, tag]) => named(value, tag))
          }
        },
        async stored(ids) {
          await world.step('stored rows')
          const found = [...tables].filter(([value]) => ids.includes(entityId('ip', value)))
          return found.map(([value, tag]) => named(value, tag))
        },
      }
    },
    async changeBefore(partition, offset) {
      await world.step('changeBefore')
      const found = log[partition]?.[offset - 1]
      return found === undefined || found.offset < lows[partition]!
        ? null
        : { offset: found.offset, observationId: found.change.observationId }
    },
    async stored() {
      await world.step('stored')
      world.signal?.throwIfAborted()
    },
  }

  async function deliver(most: number): Promise<void> {
    for (const [partition, records] of log.entries())
      for (let n = 0; n < most && following !== null; n++) {
        const { at, each, fail } = following
        const from = at[partition] ?? 0
        const to = Math.min(records.length, from + world.batch)
        if (from >= to) break
        const handing = each({ partition, from, to, changes: records.slice(from, to) })
        handedOver = handing.catch(() => undefined)
        try {
          await handing
          at[partition] = to
        } catch (error) {
          fail(error)
          return
        }
      }
  }

  const api = {
    world,
    tables,
    ports,
    /** Changes of a partition that are gone. */
    dropBefore(partition: number, offset: number): void {
      lows[partition] = offset
    },
    addPartition(): void {
      log.push([])
      lows.push(0)
    },
    /** Another log in the place of this one, as long as it was. */
    renew(): void {
      for (const records of log)
        for (const one of records) Object.assign(one, { change: { ...one.change, observationId: 'another' } })
    },
    /** An observation of a value that changed it. `again`: one of before, whose change is sent again. */
    observe(value: string, partition = 0, { again, ...given }: Given = {}): number {
      const offset = again ?? ++observed
      const tag = String(offset)
      const change = changeOf(value, tag, offset, given)
      log[partition]!.push({ change, offset: log[partition]!.length, time: world.clock++, tag })
      if (again === undefined) tables.set(value, tag)
      return offset
    },
    /** Hands over what there is, in batches, and no two of them at the same time. */
    deliver: (most = NEVER): Promise<void> => delivering.take(() => deliver(most)),
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
      world.signal = stopping.signal
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

export type IndexWorld = ReturnType<typeof indexWorld>

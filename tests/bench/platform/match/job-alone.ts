import { setTimeout as sleep } from 'node:timers/promises'
import { indicatorSource } from '../../../../connectors/history/match/indicators.ts'
import { matchStore } from '../../../../connectors/history/match/match-store.ts'
import type { History } from '../../../../connectors/history/port.ts'
import type { Batch } from '../../../../connectors/log/port.ts'
import { MATCH_READS, matchJob } from '../../../../pipelines/jobs/match/match-job.ts'
import type { MatchOptions, MatchPorts } from '../../../../pipelines/jobs/match/ports.ts'
import { BUILT_IN } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { ACCEPTED_TELEMETRY } from '../../../../schemas/log/topics.ts'
import type { TelemetryRecord } from '../../../../schemas/match/event.ts'
import type { MatchRecord } from '../../../../schemas/match/match.ts'
import { markBytes } from '../../../builders/history/match-model/marks.ts'
import { hitRows, PUBLIC_AUDIENCE, SETTINGS } from './data-folder.ts'
import { eventMaker, HITS, indicatorOf } from './events.ts'

const SCHEMA = 1
const SIZE = MATCH_READS.maxRecords

/** Marks of the indicators that events meet, as the store gives them. */
const marks = (): Buffer => markBytes(Array.from({ length: HITS }, (_, n) => indicatorOf(n).value))

/** A store that takes everything and has nothing: what is left is the work of the job, its blocks among it. */
const nothing = (sizes: Map<string, [blocks: number, rows: number, bytes: number]>): History =>
  ({
    query: async () => [],
    insert: async (name: string, block: { rows: number; bytes: Buffer }) => {
      const [blocks, rows, bytes] = sizes.get(name) ?? [0, 0, 0]
      sizes.set(name, [blocks + 1, rows + block.rows, bytes + block.bytes.length])
    },
  }) as unknown as History

export function batchesOf(events: number): Batch[] {
  const encode = encoder<TelemetryRecord>(records.telemetry, SCHEMA)
  const now = Date.now()
  const make = eventMaker(now | 0, SETTINGS.owner, now)
  const { signal } = new AbortController()
  return Array.from({ length: Math.ceil(events / SIZE) }, (_, n) => {
    const messages = Array.from({ length: Math.min(SIZE, events - n * SIZE) }, (_, i) => {
      const event = make()
      return { offset: n * SIZE + i, timestamp: now, key: Buffer.from(event.id!), value: encode(event), headers: {} }
    })
    const [from, to] = [n * SIZE, n * SIZE + messages.length]
    return {
      topic: ACCEPTED_TELEMETRY,
      partition: 0,
      messages,
      from,
      to,
      note: '',
      redelivered: false,
      highWatermark: events,
      signal,
    }
  })
}

type JobOver = { take(batch: Batch): Promise<void>; matches(): number; stop(): Promise<void> }

/** The job with all indicators that events meet, without a log, over some store. */
export function jobOver(history: History): JobOver {
  const byId = new Map<string, EntityState>([...hitRows()].flat().map((row) => [row.entityId, row]))
  const [source, bytes] = [indicatorSource(history), marks()]
  const ending = new AbortController()
  let matches = 0
  const ports: MatchPorts = {
    log: { send: async () => undefined, offsets: async () => [], committed: async () => [], read: async () => [] },
    stored: async () => undefined,
    registry: {
      known: () => records.telemetry,
      schema: async () => records.telemetry,
    } as unknown as MatchPorts['registry'],
    settings: {
      refresh: async () => undefined,
      get: () => SETTINGS,
      all: () => [SETTINGS],
      ended: () => [],
      put: async () => undefined,
      remove: async () => undefined,
    },
    producers: { refresh: async () => undefined, get: () => undefined },
    store: { ...matchStore(history), lastVersion: async () => 0n },
    live: async () => ({
      generation: 'bench',
      rules: BUILT_IN,
      rows: {
        rowsOf: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
        groupsOf: async () => new Map([[PUBLIC_AUDIENCE, ['public']]]),
      },
      indicators: {
        ...source,
        async *marks() {
          yield bytes
        },
        present: async (ids) => ({ lone: ids.flatMap((id) => byId.get(id) ?? []), several: [] }),
      },
    }),
    encodeMatch: encoder<MatchRecord>(records.match, SCHEMA),
    encodeObservation: () => Buffer.alloc(0),
  }
  const options: MatchOptions = {
    now: Date.now,
    pause: (ms) => sleep(ms),
    signal: ending.signal,
    report: (news) => {
      if (news.kind === 'events') matches += news.forward
    },
    onFailure: (what, error) => {
      console.error(what, error)
      process.exit(1)
    },
  }
  const job = matchJob(ports, options)
  return {
    take: (batch) => job.eachBatch(batch),
    matches: () => matches,
    async stop() {
      ending.abort()
      await job.stopped()
    },
  }
}

/** What the job itself does for telemetry, without log and store; a part of the throughput to look into with a profile. */
export async function jobAlone(events: number): Promise<void> {
  const batches = batchesOf(events)
  const sizes = new Map<string, [blocks: number, rows: number, bytes: number]>()
  const job = jobOver(nothing(sizes))
  const warm = Math.floor(batches.length / 3)
  for (const batch of batches.slice(0, warm)) await job.take(batch)
  const before = process.cpuUsage()
  for (const batch of batches.slice(warm)) await job.take(batch)
  const { user, system } = process.cpuUsage(before)
  await job.stop()
  const measured = events - warm * SIZE
  console.log(
    `job alone        ${((user + system) / measured).toFixed(2)} CPU-seconds a million, ${job.matches()} matches`,
  )
  for (const [name, [blocks, rows, size]] of sizes)
    console.log(
      `                 ${name}: ${(rows / events).toFixed(3)} rows and ${(size / events).toFixed(0)} bytes an event, ${blocks} blocks`,
    )
}

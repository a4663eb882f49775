/**
 * The observation job alone, on the records of a feed as the import made them: no log, no store, nothing is sent. What it
 * costs is CPU time of this process, with its collector. Baseline in the same run: the records decoded and no more.
 * Usage: npm run bench -- observe [lines] [rounds]
 */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { geoWhenAsked } from '../../../connectors/geo/packaged.ts'
import type { History } from '../../../connectors/history/port.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import type { LogMessage } from '../../../connectors/log/port.ts'
import { observationJob } from '../../../pipelines/jobs/intelligence/observations.ts'
import { recordDecoder } from '../../../pipelines/runtime/decode.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { remove, temporaryFolder } from '../../builders/platform/platform.ts'
import { at } from '../parts/timed.ts'
import { feedFile, imported } from './pipeline.ts'

const PORTION = 40_000

export type Portion = { partition: number; messages: LogMessage[]; from: number; to: number }

/** What the import wrote, in the portions of a job that is far behind. */
async function portionsOf(dataDir: string): Promise<Portion[]> {
  const log = await embeddedLog({ folder: join(dataDir, 'log') })
  const portions: Portion[] = []
  for (const { partition, high } of await log.offsets(OBSERVATIONS))
    for (let from = 0; from < high; from += PORTION) {
      const to = Math.min(high, from + PORTION)
      const messages = await log.read(OBSERVATIONS, partition, from, to, PORTION)
      // As they are read: views of the bytes of their frame.
      portions.push({ partition, messages, from, to })
    }
  await log.close()
  return portions
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** CPU microseconds of a record. */
async function measured(
  portions: readonly Portion[],
  each: (portion: Portion) => Promise<void> | void,
): Promise<number> {
  const before = cpu()
  let count = 0
  for (const portion of portions) {
    await each(portion)
    count += portion.messages.length
  }
  return (cpu() - before) / count
}

/** The records of the first lines of the feed, as the import wrote them, in the portions of a job that is far behind. */
export async function portionsOfFeed(lines: number): Promise<Portion[]> {
  const dataDir = temporaryFolder()
  try {
    imported(dataDir, feedFile(dataDir, lines))
    return await portionsOf(dataDir)
  } finally {
    remove(dataDir)
  }
}

const schemas = { known: () => records.observation, schema: async () => records.observation }
const live = { database: 'harrier', rules: '', applied: [], rescored: null }

/** The job over these portions, with a store behind `history`. */
export function jobOver(
  portions: readonly Portion[],
  history: History,
): (portion: Portion, note: string) => Promise<void> {
  const store = observationStore(history)
  const geo = geoWhenAsked()
  const partitions = Array.from({ length: 1 + Math.max(...portions.map((p) => p.partition)) }, (_, partition) => ({
    partition,
    low: 0,
    high: 0,
  }))
  const { eachBatch } = observationJob(
    {
      log: { offsets: async () => partitions, send: async () => undefined } as never,
      registry: schemas as never,
      changeSchemaId: 1,
      live: async () => ({ ...live, store }),
      partitionOf,
    },
    { dedupeWindow: 3_600_000, locate: (ip) => geo.locate(ip) },
    {
      now: Date.now,
      report: ({ dead, skipped, kept }) => {
        if (dead + skipped > 0) throw new Error(`dead ${dead}, skipped ${skipped}, kept ${kept}`)
      },
    },
  )
  const { signal } = new AbortController()
  return (portion, note) =>
    eachBatch({ ...portion, topic: OBSERVATIONS, note, redelivered: false, highWatermark: portion.to, signal })
}

async function main(lines: number, rounds: number): Promise<void> {
  const portions = await portionsOfFeed(lines)
  const nothing = {
    insert: async () => undefined,
    query: async () => [],
    command: async () => undefined,
  } as unknown as History
  const { learn, decode } = recordDecoder<Observation>(records.observation, schemas as never)
  const results: { decode: number; job: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const decoding = await measured(portions, async ({ messages }) => {
      await learn(messages)
      for (const message of messages) if (!decode(message).ok) throw new Error('a record that was imported is none')
    })
    const apply = jobOver(portions, nothing)
    const applying = await measured(portions, (portion) => apply(portion, `n${round}`))
    results.push({ decode: decoding, job: applying })
    console.log(`decode ${decoding.toFixed(2)} us, job ${applying.toFixed(2)} us a record`)
  }
  const median = (values: readonly number[]): number => at(values, 0.5)
  console.log(
    `median: decode ${median(results.map((r) => r.decode)).toFixed(2)}, job ${median(results.map((r) => r.job)).toFixed(2)}`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(Number(process.argv[2] ?? 300_000), Number(process.argv[3] ?? 5))

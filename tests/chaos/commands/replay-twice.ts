import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import { observationStore } from '../../../connectors/history/stores/observations.ts'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import type { Batch, EventLog } from '../../../connectors/log/port.ts'
import { type ObservationPorts, observationJob, SINK } from '../../../pipelines/jobs/intelligence/observations.ts'
import { seededRandom } from '../../../platform/random.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { fixedStore } from '../../builders/history/observation-store.ts'
import { type Stored, TABLES } from '../../builders/history/stored.ts'
import { storedIn } from '../../builders/history/stored-tables.ts'
import { defaultRules, withHistory } from '../../builders/platform/data-folder.ts'
import { remove, temporaryFolder } from '../../builders/platform/platform.ts'
import { command, type Outcome } from '../harness/outcome.ts'
import { openStage, type Stage } from '../harness/stage.ts'

const CLIENTS = 8
/** Records of a batch, at most. */
const LARGEST = 2_000
/** Part of the batches that come again at once, and of those after which an earlier stretch comes again. */
const AGAIN = 0.3
const STRETCH = 0.1
/** Part of the batches after which the process is another one, which knows nothing of those before. */
const RESTARTED = 0.2

const registry = {
  schema: async () => records.observation,
  known: () => records.observation,
} as unknown as ObservationPorts['registry']

type Replayed = { stored: Stored; batches: number; again: number }

/** The whole log through the observation job into a fresh store, cut and ordered by `random`. */
async function replayedInto(dataDir: string, log: EventLog, random: () => number): Promise<Replayed> {
  return withHistory(dataDir, async (history) => {
    await migrate(history, { mode: 'single' })
    const ports: ObservationPorts = {
      // What it tells of changes was told by the live run.
      log: { ...log, send: async () => undefined },
      registry,
      changeSchemaId: 1,
      live: fixedStore(observationStore(history)),
      partitionOf,
    }
    const start = () => observationJob(ports, defaultRules(), { now: Date.now, report: () => undefined })
    let job = start()
    const left = (await log.offsets(OBSERVATIONS)).map(({ partition, low, high }) => ({
      partition,
      low,
      next: low,
      high,
    }))
    const deliver = async (partition: number, from: number, to: number, high: number, redelivered: boolean) => {
      const messages = await log.read(OBSERVATIONS, partition, from, to, to - from)
      const place = { topic: OBSERVATIONS, partition, from, to, messages, highWatermark: high }
      const batch: Batch = { ...place, note: SINK, redelivered, signal: new AbortController().signal }
      if (messages.length > 0) await job.eachBatch(batch)
    }
    let [batches, again] = [0, 0]
    for (;;) {
      const open = left.filter(({ next, high }) => next < high)
      if (open.length === 0) break
      const at = open[Math.floor(random() * open.length)]!
      const from = at.next
      // Sizes of every order: as many of a few records as of hundreds.
      const to = Math.min(at.high, from + Math.ceil(LARGEST ** random()))
      await deliver(at.partition, from, to, at.high, false)
      batches++
      if (random() < RESTARTED) job = start()
      if (random() < AGAIN) {
        await deliver(at.partition, from, to, at.high, true)
        again += to - from
      }
      if (random() < STRETCH) {
        const begin = at.low + Math.floor(random() * (from - at.low))
        const end = Math.min(to, begin + LARGEST)
        job = start()
        await deliver(at.partition, begin, end, at.high, false)
        again += end - begin
      }
      at.next = to
    }
    return { stored: await storedIn(history), batches, again }
  })
}

const checksum = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)

/**
 * The log of a stage whose accounts are settled, replayed so many times: faults of the tables that it gives, each beside
 * the live one.
 */
export async function replaysDiffer(
  stage: Stage,
  { replays, seed }: { replays: number; seed: number },
  print: (line: string) => void,
): Promise<Outcome> {
  const folders: string[] = []
  const faults: string[] = []
  const log = await stage.openLog()
  try {
    const live = await withHistory(stage.dataDir, storedIn)
    let duplicates = 0
    for (let n = 0; n < replays; n++) {
      folders.push(temporaryFolder())
      const { stored, batches, again } = await replayedInto(folders[n]!, log, seededRandom(seed + n))
      duplicates += again
      print(
        `replay ${n + 1}: ${batches} batches, ${again} records delivered again; ${TABLES.map((t) => `${t} ${stored[t].length} rows ${checksum(stored[t])}`).join(', ')}`,
      )
      for (const table of TABLES)
        if (checksum(stored[table]) !== checksum(live[table]))
          faults.push(`${table} of replay ${n + 1} is another than the live one`)
    }
    return { figures: { replays, 'delivered again': duplicates }, faults }
  } finally {
    await log.close()
    for (const folder of folders) remove(folder)
  }
}

export const replayTwice = command({
  what: 'the log of a load is replayed twice into fresh stores, in other orders, batches and with duplicates',
  options: { seconds: 20, replays: 2, seed: 1 },
  async run({ seconds, ...options }, print) {
    const stage = await openStage()
    try {
      const load = stage.load(CLIENTS)
      await sleep(seconds * 1000)
      await load.stop()
      const { figures, faults } = await stage.settled()
      const replayed = await replaysDiffer(stage, options, print)
      return { figures: { ...figures, ...replayed.figures }, faults: [...faults, ...replayed.faults] }
    } finally {
      await stage.close()
    }
  },
})

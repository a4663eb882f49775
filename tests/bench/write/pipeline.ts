/**
 * The whole job on the real feed of 1.85 million indicators: feed import, observation job on the embedded log, answers
 * over what it stored. Baseline in the same run: raw insert of the same history rows by the fastest format.
 * Usage: npm run bench -- pipeline [lines]
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import type { Block } from '../../../connectors/history/port.ts'
import { blocks } from '../../../connectors/history/stores/blocks-store.ts'
import { historyRow } from '../../../connectors/history/stores/observations.ts'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { HARRIER } from '../../builders/platform/command.ts'
import { type Platform, remove, temporaryFolder } from '../../builders/platform/platform.ts'
import { drained } from '../parts/drained.ts'
import { endedCpuSeconds, takenBy, useOf } from '../parts/processes.ts'
import { insertBlocks } from './store.ts'

const FEED = fileURLToPath(new URL('../../../../shared/data/feeds/maltrail.tsv.gz', import.meta.url))
const BLOCK = 50_000

const n = (x: number): string => Math.round(x).toLocaleString('en')

/** The first so many lines of the feed as a file in a folder. @throws Error when the feed is not there */
export function feedFile(folder: string, lines: number): string {
  if (!existsSync(FEED)) throw new Error('the feed ../shared/data/feeds/maltrail.tsv.gz is not beside this checkout')
  const file = join(folder, 'feed.tsv')
  writeFileSync(file, `${gunzipSync(readFileSync(FEED)).toString().split('\n').slice(0, lines).join('\n')}\n`)
  return file
}

/** The import command, as an operator runs it. @returns CPU microseconds an observation */
export function imported(dataDir: string, file: string): number {
  const flags = ['--format', 'tsv', '--feed', 'maltrail', '--trust', '0.7', '--columns', 'indicator,tag,tag']
  const env = { ...process.env, HARRIER_DATA_DIR: dataDir }
  const before = endedCpuSeconds()
  const { status, stdout, stderr } = spawnSync(process.execPath, [HARRIER, 'feed', 'import', file, ...flags], { env })
  if (status !== 0) throw new Error(`feed import ended with ${status}: ${stderr}`)
  const last = stdout
    .toString()
    .trim()
    .split(/[\r\n]/)
    .at(-1)!
  const micros = ((endedCpuSeconds() - before) * 1e6) / Number(/^\d+/.exec(last)![0])
  console.log(`feed import      ${last}; ${micros.toFixed(1)} CPU-seconds a million, with its start`)
  return micros
}

/**
 * A plain client that inserts ready-made blocks of the very rows the job will store: rows a second, and CPU microseconds of
 * the store for a row.
 */
export async function rawInsert(dataDir: string): Promise<{ rowsPerSecond: number; micros: number }> {
  const log = await embeddedLog({ folder: join(dataDir, 'log') })
  const decode = decoder<Observation>(records.observation, () => records.observation)
  const table = blocks().history
  const ready: Block[] = []
  const audience = audienceId(['public'])
  for (const { partition, high } of await log.offsets(OBSERVATIONS))
    for (let from = 0; from < high; from += BLOCK) {
      for (const { value, offset } of await log.read(OBSERVATIONS, partition, from, from + BLOCK, BLOCK)) {
        const decoded = decode(value!)
        if (!decoded.ok) throw new Error(decoded.reason)
        table.add(
          historyRow({ observation: decoded.record, partition, offset, audience, accuracy: 1, wellKnown: false }),
        )
      }
      ready.push(table.finish())
    }
  await log.close()
  const folder = temporaryFolder()
  const engine = await startEngine({ dataDir: folder })
  const history = clickhouse(engine)
  await migrate(history, { mode: 'single' })
  const before = cpuOfChildren()
  const rate = await insertBlocks(history, 'history', ready, 'baseline')
  const micros = ((cpuOfChildren() - before) * 1e6) / rate.rows
  await history.close()
  await engine.stop()
  remove(folder)
  console.log(
    `raw insert       ${n(rate.rowsPerSecond)} rows/s of ${n(rate.rows)} history rows, blocks of ${n(BLOCK)}, two at once; ${micros.toFixed(1)} CPU-seconds a million`,
  )
  return { rowsPerSecond: rate.rowsPerSecond, micros }
}

const cpuOfChildren = (): number =>
  useOf(process.pid).reduce((sum, { pid, cpuSeconds }) => sum + (pid === process.pid ? 0 : cpuSeconds), 0)

const QUESTIONS: [name: string, path: string, body?: object][] = [
  ['overview', '/api/analytics/v1/overview'],
  ['recent', '/api/analytics/v1/recent'],
  ['attribution', '/api/analytics/v1/attribution'],
  ['search, a hit', '/api/search/v1/entities/history/simple', { query: '129.82.138.31' }],
  ['search, no hit', '/api/search/v1/entities/history/simple', { query: 'nowhere.example.net' }],
]

async function answers(platform: Platform): Promise<void> {
  for (const [name, path, body] of QUESTIONS) {
    const took: number[] = []
    for (let i = 0; i < 60; i++) {
      const from = performance.now()
      await platform.ask(path, body, null)
      took.push(performance.now() - from)
      await sleep(10)
    }
    took.sort((a, b) => a - b)
    console.log(`${name.padEnd(16)} p50 ${took[30]!.toFixed(1)} ms, p95 ${took[57]!.toFixed(1)} ms`)
  }
}

function memory(platform: Platform): void {
  const uses = useOf(platform.pid)
  const taken = uses.map(({ pid, command }) => `${command.replace(/^--\S+ (--\S+ )?/, '')} ${n(takenBy([pid]))}`)
  console.log(`memory           ${n(takenBy(uses.map(({ pid }) => pid)))} MiB of the machine: ${taken.join(', ')}`)
  const anonymous = uses.reduce((sum, use) => sum + use.anonymous, 0)
  console.log(`                 ${n(anonymous)} MiB of it not file cache`)
}

/** Runs it on the first `lines` of the feed. */
export async function pipelineBench(lines: number): Promise<void> {
  const dataDir = temporaryFolder()
  const importing = imported(dataDir, feedFile(dataDir, lines))
  const raw = await rawInsert(dataDir)
  const { platform, rate, micros } = await drained(dataDir)
  try {
    console.log(`ratio            ${(rate / raw.rowsPerSecond).toFixed(3)} of raw insert`)
    console.log(`all together     ${(importing + micros).toFixed(1)} CPU-seconds a million, the import among them`)
    memory(platform)
    await answers(platform)
    await sleep(60_000)
    console.log('after 60 s of rest')
    memory(platform)
    await answers(platform)
  } finally {
    await platform.stop()
    remove(dataDir)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await pipelineBench(Number(process.argv[2] ?? 2_000_000))

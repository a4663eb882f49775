/**
 * Telemetry against what is known, in parts that run alone or one after another:
 *   throughput [events] [indicators] [folder]      from the log to ledger and matches, beside parsing alone and OpenSearch
 *   job [events]                                   the job of it without log and store, to look into with a profile
 *   store [events]                                 the store alone with what the job makes of telemetry, table by table
 *   cold [indicators] [folder]                     reading the index at a start, beside a count of the same rows
 *   latency [events a second] [samples]            until a match is shown, beside the same on an idle platform
 *   retro [new indicators] [ledger rows] [folder]  until all retro matches are told, beside one read of the ledger
 *   observing [observations] [events a second]     the observation job with telemetry beside it, and alone
 * Run: npm run bench -- match [part] [arguments of the part]
 * BENCH_OPENSEARCH=no leaves OpenSearch out; a folder is used again with what is in it, and left there.
 */
import { coldStart } from './cold.ts'
import { jobAlone } from './job-alone.ts'
import { latency } from './latency.ts'
import { observing } from './observing.ts'
import { retro } from './retro.ts'
import { storeAlone } from './store-alone.ts'
import { throughput } from './throughput.ts'

const [part = 'all', ...rest] = process.argv.slice(2)
const number = (at: number, otherwise: number): number => Number(rest[at] ?? otherwise)

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  throughput: () => throughput(number(0, 1_000_000), number(1, 10_000_000), rest[2]),
  job: () => jobAlone(number(0, 600_000)),
  store: () => storeAlone(number(0, 600_000)),
  cold: () => coldStart(number(0, 10_000_000), rest[1]),
  latency: () => latency(number(0, 5_000), number(1, 50)),
  retro: () => retro(number(0, 10_000), number(1, 100_000_000), rest[2]),
  observing: () => observing(number(0, 300_000), number(1, 5_000)),
}

if (part !== 'all' && PARTS[part] === undefined) {
  console.error(`usage: npm run bench -- match [${Object.keys(PARTS).join('|')}] [arguments]`)
  process.exit(2)
}
for (const [name, run] of Object.entries(PARTS))
  if (part === 'all' || part === name) {
    console.log(`-- ${name}`)
    await run()
  }

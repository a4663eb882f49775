import { loadavg } from 'node:os'
import { join } from 'node:path'
import { decoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { readEventRecord, type TelemetryRecord } from '../../../../schemas/match/event.ts'
import { remove, startPlatform, temporaryFolder } from '../../../builders/platform/platform.ts'
import { useOf } from '../../parts/processes.ts'
import { appendEvents, encodedEvents, madeFolder, OWNER } from './data-folder.ts'
import { eventMaker } from './events.ts'
import { matchedByOpenSearch } from './opensearch.ts'
import { metric, peakOf, programOf, untilQuiet, watched } from './watch.ts'

const n = (x: number): string => Math.round(x).toLocaleString('en')

/** Decoding the same bytes and reading the events in them, as the job begins. @returns CPU-seconds a million */
function parsed(messages: Awaited<ReturnType<typeof encodedEvents>>): number {
  const decode = decoder<TelemetryRecord>(records.telemetry, () => records.telemetry)
  const before = process.cpuUsage()
  for (const { value, timestamp } of messages) {
    const decoded = decode(value)
    if (!decoded.ok || !readEventRecord(decoded.record, timestamp, 90).ok) throw new Error('an event is none')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / messages.length
}

/**
 * From the log to ledger and matches, in the processes of a platform.
 * @param kept a folder that is used again with what is in it
 */
export async function throughput(events: number, indicators: number, kept?: string): Promise<void> {
  const dataDir = kept ?? join(temporaryFolder(), 'data')
  await madeFolder(dataDir, indicators)
  const seed = (Date.now() / 1_000) | 0
  const messages = await encodedEvents(dataDir, events, seed)
  const baseline = parsed(messages)
  const platform = await startPlatform(dataDir)
  try {
    await untilQuiet(platform.pid)
    const load = loadavg()[0]!
    await appendEvents(dataDir, messages)
    const { seconds, cpu, events: taken } = await watched(platform, events)
    const told = await metric(platform, 'harrier_matches_total', 'direction="forward"')
    const sum = [...cpu.values()].reduce((a, b) => a + b, 0)
    const million = (used: number): string => ((used * 1e6) / taken).toFixed(1)
    console.log(
      `telemetry        ${n(taken / seconds)} events/s: ${n(taken)} in ${seconds.toFixed(1)} s, ${n(told)} matches`,
    )
    console.log(
      `                 ${million(sum)} CPU-seconds a million: ${[...cpu].map(([name, used]) => `${name} ${million(used)}`).join(', ')}`,
    )
    console.log(
      `parsing alone    ${baseline.toFixed(1)} CPU-seconds a million, 1 : ${(sum / taken / (baseline / 1e6)).toFixed(1)}`,
    )
    const job = useOf(platform.pid).find((use) => programOf(use) === 'follow')!
    console.log(
      `memory           ${n(job.resident)} MiB resident of the job, ${n(job.anonymous)} of it anonymous, ${n(peakOf(job.pid))} at most`,
    )
    console.log(`load             ${load.toFixed(1)} before, ${loadavg()[0]!.toFixed(1)} after`)
  } finally {
    await platform.stop()
    if (kept === undefined) remove(join(dataDir, '..'))
  }
  if (process.env.BENCH_OPENSEARCH !== 'no') await matchedByOpenSearch(eventMaker(seed, OWNER, Date.now()), indicators)
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Block, History } from '../../../../connectors/history/port.ts'
import { useOf } from '../../parts/processes.ts'
import { emptyStore, settled } from '../../parts/seeded-store.ts'
import { batchesOf, jobOver } from './job-alone.ts'

/** The store goes on with what it does by itself; so long it has nothing to do before it is asked for more. */
const PAUSE_MS = 2_000

type Insert = { name: string; block: Block; token: string }

/** What the job gives to the store for telemetry. */
async function insertsOf(events: number): Promise<Insert[]> {
  const found: Insert[] = []
  const kept = {
    query: async () => [],
    // The bytes of a block are used again.
    insert: async (name: string, block: Block, token: string) =>
      void found.push({ name, token, block: { rows: block.rows, bytes: Buffer.from(block.bytes) } as Block }),
  } as unknown as History
  const job = jobOver(kept)
  for (const batch of batchesOf(events)) await job.take(batch)
  await job.stop()
  return found
}

/**
 * What the store alone takes to write and merge what the job makes of telemetry, table by table; a part of the throughput
 * that no job can go below.
 */
export async function storeAlone(events: number): Promise<void> {
  const inserts = await insertsOf(events)
  for (const [name, those] of Map.groupBy(inserts, (one) => one.name)) {
    const store = await emptyStore()
    try {
      const used = (): number => useOf(store.engine.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
      await sleep(PAUSE_MS)
      const [from, before] = [performance.now(), used()]
      for (const { block, token } of those) await store.history.insert(name, block, token)
      const seconds = (performance.now() - from) / 1_000
      const written = used() - before
      await settled(store.history)
      const rows = those.reduce((sum, { block }) => sum + block.rows, 0)
      const a = (cpu: number): string => ((cpu * 1e6) / events).toFixed(1)
      console.log(
        `${name.padEnd(17)}${a(used() - before)} CPU-seconds a million events, ${a(written)} until written in ${seconds.toFixed(1)} s; ${(rows / events).toFixed(2)} rows an event, ${those.length} blocks`,
      )
    } finally {
      await store.close()
    }
  }
}

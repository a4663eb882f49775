import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clickhouse } from '../../../connectors/history/clickhouse.ts'
import { startEngine } from '../../../connectors/history/engine/supervisor.ts'
import { migrate } from '../../../connectors/history/migrations/migrate.ts'
import type { Block, History } from '../../../connectors/history/port.ts'
import { historyBlocks } from '../parts/history-rows.ts'

export type InsertRate = { rows: number; bytes: number; ms: number; rowsPerSecond: number; p50: number; p99: number }

/**
 * Raw insert: what the store takes of blocks that were prepared ahead, the baseline of every figure of the pipeline.
 * @param inFlight inserts at once, as partitions of a topic insert side by side
 * @param token prefix of the insert tokens: another one for every call
 */
export const insertBlocks = async (
  history: History,
  table: string,
  blocks: readonly Block[],
  token: string,
  inFlight = 2,
): Promise<InsertRate> => {
  const took: number[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let i = next++; i < blocks.length; i = next++) {
      const from = performance.now()
      await history.insert(table, blocks[i]!, `${token}:${i}`)
      took.push(performance.now() - from)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: inFlight }, lane))
  const ms = performance.now() - from
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0)
  const bytes = blocks.reduce((sum, block) => sum + block.bytes.length, 0)
  const at = (share: number): number => took.sort((a, b) => a - b)[Math.floor((took.length - 1) * share)] ?? 0
  return { rows, bytes, ms, rowsPerSecond: (rows / ms) * 1000, p50: at(0.5), p99: at(0.99) }
}

const round = (n: number): string => Math.round(n).toLocaleString('en')

const main = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'harrier-bench-'))
  const engine = await startEngine({ dataDir })
  const history = clickhouse(engine)
  try {
    await migrate(history, { mode: 'single' })
    for (const size of [1000, 10_000, 50_000]) {
      const count = Math.min(40, 600_000 / size)
      const { blocks, encodeMs } = historyBlocks(count, size, Date.UTC(2026, 0, 2))
      await history.command('TRUNCATE TABLE history')
      const rate = await insertBlocks(history, 'history', blocks, `bench:${size}`)
      const encoded = (rate.rows / encodeMs) * 1000
      console.log(
        `history, ${round(size)} rows a block: encode ${round(encoded)} rows/s, insert ${round(rate.rowsPerSecond)} rows/s, ` +
          `${round(rate.bytes / rate.rows)} bytes a row, p50 ${round(rate.p50)} ms, p99 ${round(rate.p99)} ms`,
      )
    }
  } finally {
    await history.close()
    await engine.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()

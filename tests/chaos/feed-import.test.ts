import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { embeddedLog } from '../../connectors/log/embedded/log.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import { OBSERVATIONS, topics } from '../../schemas/log/topics.ts'
import { importPorts } from '../builders/feeds/import/ports.ts'
import { longer } from '../builders/platform/longer.ts'

const KILLS = longer(4)
const LINES = 3_000 * KILLS

async function observationIds(log: EventLog): Promise<string[]> {
  const { decodeObservation } = importPorts()
  const ids: string[] = []
  for (const { partition, low, high } of await log.offsets(OBSERVATIONS)) {
    for (const { value } of await log.read(OBSERVATIONS, partition, low, high, high)) {
      const decoded = decodeObservation(value!)
      ids.push(decoded.ok ? decoded.record.id : decoded.reason)
    }
  }
  return ids
}

const published = async (log: EventLog): Promise<number> =>
  (await log.offsets(OBSERVATIONS)).reduce((sum, { high }) => sum + high, 0)

/** Runs the import and kills it once `until` records are in the log; its exit code, null when it was killed. */
async function importProcess(folder: string, file: string, log: EventLog, until: number): Promise<number | null> {
  const script = join(import.meta.dirname, '../builders/feeds/import/child.ts')
  const child = spawn(process.execPath, [script, join(folder, 'log'), folder, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve) => void child.on('exit', resolve))
  while (child.exitCode === null && (await published(log)) < until) await sleep(1)
  if (child.exitCode === null) child.kill('SIGKILL')
  return exited
}

test('an import that is killed again and again publishes every line exactly once', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'harrier-import-kill-'))
  const file = join(folder, 'list.txt')
  await writeFile(file, Array.from({ length: LINES }, (_, i) => `host${i}.evil.example\n`).join(''))
  const log = await embeddedLog({ folder: join(folder, 'log') })
  await log.createTopics(topics.map(({ partitions, ...topic }) => ({ ...topic, partitions: partitions.embedded })))
  const killedAt: number[] = []
  for (let i = 1; i <= KILLS; i++) {
    await importProcess(folder, file, log, (i * LINES) / (KILLS + 2))
    killedAt.push(await published(log))
  }
  expect(await importProcess(folder, file, log, Number.POSITIVE_INFINITY)).toBe(0)
  const ids = await observationIds(log)
  await log.close()
  await rm(folder, { recursive: true })
  expect(new Set(ids).size).toBe(LINES)
  expect(ids.length).toBe(LINES)
  // Otherwise no run was cut short, and the test would have shown nothing.
  expect(killedAt.filter((count) => count < LINES).length, `killed at ${killedAt}`).toBeGreaterThan(KILLS / 2)
})

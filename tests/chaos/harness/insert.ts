import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where the embedded engine takes the bodies of inserts in. */
const inboxOf = (dataDir: string): string => readFileSync(join(dataDir, 'clickhouse', 'inbox', 'in-memory'), 'utf8')

/**
 * Resolves with true when the next insert reaches the embedded engine, with false when none does in time. The tables of
 * a batch are written within milliseconds: a kill at any moment would nearly always miss them.
 */
export async function nextInsert(dataDir: string, withinMs: number): Promise<boolean> {
  const seen = Promise.withResolvers<boolean>()
  const late = sleep(withinMs, false)
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(inboxOf(dataDir), () => seen.resolve(true))
    // The folder goes away with its engine.
    watcher.on('error', () => undefined)
  } catch {
    return late
  }
  const found = await Promise.race([seen.promise, late])
  watcher.close()
  return found
}

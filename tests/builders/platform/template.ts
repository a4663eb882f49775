import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A store that is elsewhere leaves its part of the folder out. */
const ELSEWHERE = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'CLICKHOUSE_URL', 'DATABASE_URL']

const empty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0

/**
 * Fills an empty data folder with what a first start makes, for a platform on embedded defaults: made once in a test run,
 * by `firstStart`, and copied from then on. Does nothing outside of a test run, or where a store is elsewhere.
 */
export async function fill(
  dataDir: string,
  env: Record<string, string>,
  firstStart: (folder: string) => Promise<unknown>,
): Promise<void> {
  const templates = process.env.TEST_TEMPLATE
  const all = { ...process.env, ...env }
  if (templates === undefined || !empty(dataDir) || ELSEWHERE.some((name) => all[name])) return
  const template = join(templates, 'made')
  if (!existsSync(template)) {
    const draft = join(templates, String(process.pid))
    await firstStart(draft)
    // Of several workers at once, the first one's is for all.
    if (!existsSync(template)) renameSync(draft, template)
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await promisify(execFile)('cp', ['-a', `${template}/.`, dataDir])
}

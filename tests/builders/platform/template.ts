import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A store that is elsewhere leaves its part of the folder out. */
const ELSEWHERE = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'CLICKHOUSE_URL', 'DATABASE_URL']

const LOOK_MS = 100

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
  while (!existsSync(template)) await (begun(templates) ? sleep(LOOK_MS) : make(templates, template, firstStart))
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await promisify(execFile)('cp', ['-a', `${template}/.`, dataDir])
}

/** Whether another worker makes the template; if not, this one does from now on. */
function begun(templates: string): boolean {
  try {
    mkdirSync(join(templates, 'making'))
    return false
  } catch {
    return true
  }
}

/** A first start that fails leaves the work to the next worker. */
async function make(templates: string, template: string, firstStart: (folder: string) => Promise<unknown>) {
  const draft = join(templates, String(process.pid))
  try {
    if (existsSync(template)) return
    await firstStart(draft)
    renameSync(draft, template)
  } finally {
    rmSync(join(templates, 'making'), { recursive: true })
  }
}

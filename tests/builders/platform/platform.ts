import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { HEAP_OF_API } from '../../../platform/heap.ts'
import { listen } from '../failure/printed.ts'
import { HARRIER } from './command.ts'
import { fill } from './template.ts'

/**
 * A platform of tests ends before what V8 compiles of the embedded database a second time pays: without it a platform
 * takes a sixth less of the processors.
 */
const SHORT_LIVED = ['--liftoff-only']
/** Limits that a test does not reach by asking often. */
export const TIERS = fileURLToPath(new URL('tiers.json', import.meta.url))
const READY_MS = 120_000
/** Longer than every bound of an orderly end. */
const STOP_MS = 60_000
/** Of what a platform printed that did not end, in characters. */
const LAST_WORDS = 2_000

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
export type Answered = { status: number; body: any; headers: Headers }

export type Platform = {
  url: string
  dataDir: string
  pid: number
  /** Everything printed so far. */
  output(): string
  /** An authorised request as the built-in administrator, whose roles are all; `null` asks as nobody. */
  ask(path: string, body?: unknown, as?: Record<string, string> | null): Promise<Answered>
  /**
   * SIGTERM; resolves to the exit code.
   * @throws when it does not end within a minute, with what it printed last; it is killed then
   */
  stop(): Promise<number | null>
  /** SIGKILL of the process alone; its children have to notice by themselves. */
  kill(): Promise<void>
}

export const ADMINISTRATOR = { 'api-key': 'administrator-key-0001', 'api-secret': 'administrator-secret-01' }

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'harrier-'))

export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** What a first start on embedded defaults makes in an empty folder, without waiting for one. */
export const filled = (dataDir: string, env: Record<string, string> = {}): Promise<void> =>
  fill(dataDir, env, async (folder) => (await run(folder, {}, 'up')).stop())

/**
 * The whole platform as a user starts it, in a process of its own on a free port; resolves when it is ready. An empty
 * data folder is filled beforehand.
 * @param role `api`: the API alone, over the stores that `env` names
 */
export async function startPlatform(
  dataDir: string,
  env: Record<string, string> = {},
  role: 'up' | 'api' = 'up',
): Promise<Platform> {
  if (role === 'up') await filled(dataDir, env)
  return run(dataDir, env, role)
}

/**
 * @param env undefined: as if the user had not set it
 * @param command the program and its arguments before the role; default: the program of this checkout
 */
export async function run(
  dataDir: string,
  env: Record<string, string | undefined>,
  role: 'up' | 'api',
  command: readonly string[] = [process.execPath, ...SHORT_LIVED, ...HEAP_OF_API, HARRIER],
): Promise<Platform> {
  const [program, ...args] = command
  const child = spawn(program!, [...args, role], {
    env: {
      ...process.env,
      PORT: '0',
      HARRIER_SQL_PORT: '0',
      HARRIER_DATA_DIR: dataDir,
      HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
      HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
      HARRIER_DRAIN_MS: '100',
      HARRIER_LOG_LEVEL: role === 'api' ? 'info' : 'warn',
      HARRIER_TIERS_FILE: TIERS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test that failed on the way leaves no platform behind.
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
  child.once(
    'exit',
    listen(child.pid!, () => printed),
  )
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code, signal) => {
      if (signal !== null) printed += `\nended by ${signal}\n`
      resolve(code)
    }),
  )
  const url = await announced(child, () => printed)
  await ready(url)
  return {
    url,
    dataDir,
    pid: child.pid!,
    output: () => printed,
    ask: asker(() => url),
    async stop() {
      const ran = child.exitCode === null && child.signalCode === null
      child.kill('SIGTERM')
      const waiting = new AbortController()
      const late = sleep(STOP_MS, 'late' as const, { signal: waiting.signal }).catch(() => null)
      const ended = await Promise.race([exited, late])
      waiting.abort()
      if (ran && child.signalCode !== null)
        throw new Error(`the platform ended by ${child.signalCode}: ${printed.slice(-LAST_WORDS)}`)
      if (ended !== 'late') return ended
      child.kill('SIGKILL')
      await exited
      throw new Error(`the platform does not end within ${STOP_MS} ms: ${printed.slice(-LAST_WORDS)}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Asks whoever is at a URL. */
export const asker =
  (url: () => string): Platform['ask'] =>
  async (path, body, as = ADMINISTRATOR) => {
    const response = await fetch(url() + path, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...as },
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers }
  }

async function announced(child: ChildProcess, printed: () => string): Promise<string> {
  for (let waited = 0; waited < READY_MS; waited += 50) {
    const url = /(?:API\s+|"url":")(http:[^\s"]+)/.exec(printed())?.[1]
    if (url !== undefined) return url
    if (child.exitCode !== null) throw new Error(`the platform ended with ${child.exitCode}:\n${printed()}`)
    await sleep(50)
  }
  child.kill('SIGKILL')
  throw new Error(`the platform is not up after ${READY_MS} ms:\n${printed()}`)
}

async function ready(url: string): Promise<void> {
  for (let waited = 0; waited < READY_MS; waited += 50) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.status === 200) return
    await sleep(50)
  }
  throw new Error('the platform does not become ready')
}

/** How long what takes a moment may take on a machine that is busy with other things. */
const PATIENCE_MS = 60_000
/** Between two questions: a question takes the processors from what is waited for. */
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 250

/** Asks until `holds`, as what was acknowledged is visible a moment later. */
export async function eventually<T>(
  ask: () => Promise<T>,
  holds: (answer: T) => boolean,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const until = performance.now() + withinMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const answer = await ask()
    if (holds(answer)) return answer
    if (performance.now() > until) throw new Error(`not within ${withinMs} ms; last: ${JSON.stringify(answer)}`)
    await sleep(pause)
  }
}

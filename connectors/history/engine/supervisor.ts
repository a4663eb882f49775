import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pause } from '../../../platform/pause.ts'
import { retry } from '../../../platform/retry.ts'
import type { AnalystOptions } from './analyst/ask.ts'
import type { FromEngine, ToEngine } from './messages.ts'
import { writtenFile } from './written.ts'

const require = createRequire(import.meta.url)

/** How chdb names the package with its engine for a machine. */
const packageFor = (platform: string, arch: string): string =>
  `@chdb/lib-${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}`

const installed = (name: string): boolean => {
  try {
    require.resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}

/** What to do where npm has installed no embedded engine for this machine; null where it has. */
export function engineMissing(
  platform: string = process.platform,
  arch: string = process.arch,
  has: (name: string) => boolean = installed,
): string | null {
  const name = packageFor(platform, arch)
  if (has('chdb') && has(name)) return null
  return (
    `the embedded ClickHouse engine is not available for this machine (${platform} ${arch}: the package ${name} is not installed); ` +
    'set CLICKHOUSE_URL to a ClickHouse server (harrier guide clickhouse), or run `npm install` on a platform that has this package'
  )
}

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))
const TAIL = 2000

type Child = {
  pid: number
  port: number
  /** Resolves with what was the end of it, in words. */
  ended: Promise<string>
  stop(): void
  kill(): void
}

/** Threads of libuv carry the queries; the file system and kills need some beside them. */
const threads = ({ lanes }: ToEngine): string => String(lanes.read + lanes.insert + lanes.analyst + 6)

const spawn = (start: ToEngine): ChildProcess =>
  fork(PROGRAM, [], {
    env: { TZ: 'UTC', UV_THREADPOOL_SIZE: threads(start) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'json',
  })

/** One run of the engine. @throws Error with the reason when it does not serve within `readyMs` */
const startChild = (start: ToEngine, readyMs: number): Promise<Child> =>
  new Promise((resolve, reject) => {
    const forked = spawn(start)
    let tail = ''
    forked.stderr!.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-TAIL)
    })
    const ended = new Promise<string>((done) => {
      forked.once('error', (error) => done(error.message))
      forked.once('exit', (code, signal) => done(`the process ended with ${signal ?? `code ${code}`} ${tail}`.trim()))
    })
    const kill = (): void => {
      forked.kill('SIGKILL')
    }
    const fail = (reason: string): void => {
      clearTimeout(timer)
      kill()
      reject(new Error(reason))
    }
    const timer = setTimeout(() => fail(`the history store was not ready within ${readyMs} ms`), readyMs)
    forked.once('message', (message: FromEngine) => {
      if (message.kind === 'refused') return fail(message.reason)
      clearTimeout(timer)
      const stop = (): void => {
        if (forked.connected) forked.send('stop')
      }
      resolve({ pid: forked.pid!, port: message.port, ended, stop, kill })
    })
    void ended.then((reason) => fail(`the history store did not start: ${reason}`))
    forked.send(start)
  })

export type EngineOptions = {
  /** One engine at a time may have it open. */
  dataDir: string
  /** 0, the default, lets the system choose. */
  port?: number
  /** Called with the port in use instead when another program has `port` (ADR 265); without it, that ends the start. */
  onPortTaken?: (instead: number) => void
  /** SQL users beside the platform's own account; default: none. */
  analysts?: AnalystOptions
  /** Default: a new secret for this start. */
  password?: string
  /** Called after each unexpected end, with what became of it: a new start, or that the supervisor gave up. */
  onExit?: (event: { reason: string; restarted: boolean }) => void
  /** How long a start may wait for the folder, which an engine whose parent was killed frees within moments. */
  patienceMs?: number
}

export type Engine = {
  url: string
  username: string
  password: string
  /** The file that is another whenever something may have been written (`readWritten`). */
  written: string
  /** Of the running child; changes with a restart. */
  readonly pid: number
  /** Finishes what runs, at most a few seconds, then frees the folder. */
  stop(): Promise<void>
}

const MiB = 1024 * 1024
const READY_MS = 20_000
const STOP_MS = 4000
const PAUSES_MS = [100, 200, 500, 1000, 2000, 5000]
/** A run this long shows that the last end was not one of a series. */
const STEADY_MS = 60_000

/** Half of what this machine or container has: the other processes of the platform live beside the engine. */
const memory = (): number => Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2)

/**
 * What is asked so often is worth its compilation, which takes as long as several small statements. The engine's own
 * choice is three times: of a few thousand different questions most of the time went there.
 */
const OFTEN = '1000'

/** What every query starts from; clients set their own, tighter ones. */
const settings = (memoryBytes: number): Record<string, string> => ({
  min_count_to_compile_expression: OFTEN,
  min_count_to_compile_aggregate_expression: OFTEN,
  min_count_to_compile_sort_description: OFTEN,
  min_count_to_compile_regular_expression: OFTEN,
  max_execution_time: '120',
  max_memory_usage: String(Math.floor(memoryBytes / 2)),
  max_result_bytes: String(512 * MiB),
  result_overflow_mode: 'throw',
  async_insert: '0',
  output_format_json_quote_64bit_integers: '1',
})

const toEngine = (options: EngineOptions, password: string): ToEngine => ({
  dataDir: resolve(options.dataDir),
  port: options.port ?? 0,
  orAnother: options.onPortTaken !== undefined,
  account: { username: 'harrier', password },
  lanes: { read: Math.max(4, availableParallelism()), insert: 4, analyst: 2, queue: 1000 },
  limits: { bodyBytes: 256 * MiB, sqlBytes: 32 * MiB, settings: settings(memory()) },
  memoryBytes: memory(),
  ...(options.analysts && { analysts: options.analysts }),
})

/**
 * The embedded ClickHouse as a supervised child process that serves the ClickHouse HTTP protocol on 127.0.0.1. When
 * the child dies it starts again on the same port with the same password, so that clients see a short gap (ADR 265).
 * @throws Error that names the folder and who has it open, or what else kept the engine from starting
 */
export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  const missing = engineMissing()
  if (missing !== null) throw new Error(missing)
  const password = options.password ?? randomBytes(24).toString('base64url')
  const start = toEngine(options, password)
  const patienceMs = options.patienceMs ?? 5000
  let child = await retry(() => startChild(start, READY_MS), { pausesMs: [250], forMs: patienceMs })
  if (start.port !== 0 && start.port !== child.port) options.onPortTaken?.(child.port)
  // Clients know this port: a restart takes it and no other.
  start.port = child.port
  start.orAnother = false
  const stopping = new AbortController()

  /** Starts again, after growing pauses. @returns what went wrong at last when it gave up */
  const revive = async (pauses: readonly number[]): Promise<string | undefined> => {
    await pause(pauses[0]!, stopping.signal)
    if (stopping.signal.aborted) return undefined
    const startAgain = async (): Promise<void> => {
      child = await startChild(start, READY_MS)
    }
    const options = { pausesMs: pauses.slice(1), attempts: pauses.length, signal: stopping.signal }
    return retry(startAgain, options).then(
      () => undefined,
      (error: unknown) => {
        if (stopping.signal.aborted) return undefined
        return error instanceof Error ? error.message : String(error)
      },
    )
  }

  const live = async (): Promise<void> => {
    let series = 0
    for (;;) {
      const from = performance.now()
      const reason = await child.ended
      if (stopping.signal.aborted) return
      series = performance.now() - from > STEADY_MS ? 0 : Math.min(series + 1, PAUSES_MS.length - 1)
      const failure = await revive([...PAUSES_MS.slice(series), ...PAUSES_MS])
      if (failure !== undefined) return options.onExit?.({ reason: failure, restarted: false })
      // Stopped while it was starting: `stop` may have spoken to the one before.
      if (stopping.signal.aborted) child.kill()
      else options.onExit?.({ reason, restarted: true })
    }
  }
  const life = live()

  return {
    url: `http://127.0.0.1:${child.port}`,
    username: start.account.username,
    password,
    written: writtenFile(start.dataDir),
    get pid() {
      return child.pid
    },
    async stop() {
      stopping.abort()
      child.stop()
      const late = setTimeout(() => child.kill(), STOP_MS)
      await life
      clearTimeout(late)
    },
  }
}

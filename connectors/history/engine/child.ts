import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FromEngine, ToEngine } from './messages.ts'

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))
const TAIL = 2000

export type Child = {
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
export const startChild = (start: ToEngine, readyMs: number): Promise<Child> =>
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

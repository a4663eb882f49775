import { spawn } from 'node:child_process'
import { HARRIER } from '../../../builders/platform/command.ts'

const READY_MS = 60_000

/** What each role logs once it works. */
const WORKS = {
  observe: 'the jobs are running',
  follow: 'the jobs that follow the changes are running',
  'scan-worker': 'the scan worker is running',
  lifecycle: 'the handlers of account events are running',
}

export type RoleName = keyof typeof WORKS
export type Ended = { code: number | null; ms: number; printed: string }

export type RunningRole = {
  /** SIGTERM; resolves with how it ended and after how many milliseconds. */
  stop(): Promise<Ended>
}

/** A role in a process of its own, as an operator runs it; resolves when it works. */
export async function startAlone(name: RoleName, env: Record<string, string>): Promise<RunningRole> {
  const child = spawn(process.execPath, [HARRIER, name], {
    env: { ...process.env, ...env, HARRIER_LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  let printed = ''
  const works = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed = (printed + chunk).slice(-20_000)
      if (printed.includes(WORKS[name])) works.resolve()
    })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const late = setTimeout(
    () => works.reject(new Error(`${name} is not up after ${READY_MS} ms:\n${printed}`)),
    READY_MS,
  )
  void ended.then((code) => {
    process.off('exit', end)
    works.reject(new Error(`${name} ended with ${code}:\n${printed}`))
  })
  await works.promise.finally(() => clearTimeout(late))
  return {
    async stop() {
      const began = performance.now()
      child.kill('SIGTERM')
      return { code: await ended, ms: performance.now() - began, printed }
    },
  }
}

import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { HARRIER } from './command.ts'

const READY_MS = 120_000

export type Running = {
  role: string
  pid: number
  /** Of the API, or of the metrics. */
  url: string
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Resolves once it has ended, however it did. */
  ended: Promise<unknown>
  output(): string
}

/** One role as a process of its own, on a free port; resolves when `/readyz` says that it has what it needs. */
export async function runRole(role: string, env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [HARRIER, role], {
    env: {
      ...process.env,
      PORT: '0',
      ...(role !== 'api' && { HARRIER_METRICS_PORT: '0' }),
      HARRIER_DRAIN_MS: '100',
      HARRIER_LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await readyAt()
  return {
    role,
    pid: child.pid!,
    url,
    ended: exited,
    output: () => printed,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }

  async function readyAt(): Promise<string> {
    const until = performance.now() + READY_MS
    while (performance.now() < until) {
      if (child.exitCode !== null) throw new Error(`${role} ended with ${child.exitCode}:\n${printed}`)
      const said = /"url":"(http:[^"]+)","msg":"(?:the API is listening|serving metrics)"/.exec(printed)?.[1]
      if (said !== undefined && (await fetch(`${said}/readyz`).catch(() => null))?.ok) return said
      await sleep(50)
    }
    child.kill('SIGKILL')
    throw new Error(`${role} is not ready after ${READY_MS} ms:\n${printed}`)
  }
}

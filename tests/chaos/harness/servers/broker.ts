import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { remove, temporaryFolder } from '../../../builders/platform/platform.ts'
import { alive } from './processes.ts'

const SCRIPT = fileURLToPath(new URL('../../../../infra/dev/kafka.sh', import.meta.url))

export type Broker = {
  brokers: string
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** Again on the same data; resolves when it answers. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/** One Apache Kafka of its own, as `infra/dev/kafka.sh` starts it. Needs Java 17 and Maven. */
export async function startBroker(): Promise<Broker> {
  const data = temporaryFolder()
  const port = await freePair()
  const said = join(data, 'said.log')
  const script = async (command: string): Promise<void> => {
    // Its output would be held open by the broker that it leaves behind.
    const run = promisify(execFile)('bash', [
      '-c',
      '"$@" >"$0" 2>&1',
      said,
      'bash',
      SCRIPT,
      command,
      String(port),
      data,
    ])
    await run.catch((error: unknown) => {
      throw new Error(`the broker does not ${command}: ${readFileSync(said, 'utf8').slice(-2_000)}`, { cause: error })
    })
  }
  await script('start')
  const pidOf = (): number => Number(readFileSync(join(data, 'pid'), 'utf8'))
  // A run that is broken off leaves no broker behind.
  const end = (): void => {
    if (alive(pidOf())) process.kill(pidOf(), 'SIGKILL')
  }
  process.once('exit', end)
  return {
    brokers: `127.0.0.1:${port}`,
    async kill() {
      const pid = pidOf()
      process.kill(pid, 'SIGKILL')
      while (alive(pid)) await sleep(10)
      // Its other threads may hold the sockets for a moment after the first one is gone.
      while (!((await free(port)) && (await free(port + 1)))) await sleep(10)
    },
    start: () => script('start'),
    async remove() {
      process.off('exit', end)
      await script('stop')
      remove(data)
    },
  }
}

/** A port that is free together with the one after it; below those that connections are given. */
export async function freePair(from = 20_092 + (process.pid % 4_000) * 2): Promise<number> {
  for (let port = from; ; port += 2) if ((await free(port)) && (await free(port + 1))) return port
}

const free = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

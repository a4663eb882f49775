import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HARRIER } from '../platform/command.ts'
import { ADMINISTRATOR } from '../platform/platform.ts'
import { overDns, overHttp, overMemcached, overRedis } from './asking.ts'

const READY_MS = 30_000
export const ZONE = 'bl.test'

export type EdgeOptions = { url: string; feed: string; folder: string; maxAge?: string; token?: string }

export type RunningEdge = {
  ports: Record<'http' | 'redis' | 'memcached' | 'dns', number>
  pid: number
  file: string
  output(): string
  /** What each protocol and the file say of a value: one word where they agree. */
  says(value: string, dnsName?: string): Promise<string>
  metric(name: string): Promise<number>
  stop(): Promise<number | null>
  kill(): Promise<void>
}

/** `harrier edge` in a process of its own, on ports that are free. Resolves once it answers, with or without a list. */
export async function startEdge({ url, feed, folder, maxAge = '24h', token }: EdgeOptions): Promise<RunningEdge> {
  const file = join(folder, 'list.txt')
  const listens = ['http://127.0.0.1:0', 'redis://127.0.0.1:0', 'memcached://127.0.0.1:0', `dns://127.0.0.1:0/${ZONE}`]
  const args = ['edge', '--feed', feed, '--data', join(folder, 'edge'), '--max-age', maxAge]
  for (const one of [...listens, `file:text:${file}`]) args.push('--listen', one)
  if (token !== undefined) args.push('--token-file', token)
  const child = spawn(process.execPath, [HARRIER, ...args], {
    env: {
      ...process.env,
      HARRIER_URL: url,
      HARRIER_API_KEY: ADMINISTRATOR['api-key'],
      HARRIER_API_SECRET: ADMINISTRATOR['api-secret'],
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let printed = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (printed += chunk))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ports = await portsOf(child, () => printed)
  return {
    ports,
    pid: child.pid!,
    file,
    output: () => printed,
    async says(value, dnsName = value) {
      const said = await Promise.all([
        overHttp(ports.http, value),
        overRedis(ports.redis, value),
        overMemcached(ports.memcached, value),
        overDns(ports.dns, dnsName, ZONE),
      ])
      return new Set(said).size === 1 ? said[0]! : said.join(', ')
    },
    async metric(name) {
      const text = await (await fetch(`http://127.0.0.1:${ports.http}/metrics`)).text()
      return Number(new RegExp(`^harrier_edge_${name}(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN)
    },
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Lines of the file that it keeps. */
export const linesOf = ({ file }: Pick<RunningEdge, 'file'>): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

async function portsOf(child: ChildProcess, printed: () => string): Promise<RunningEdge['ports']> {
  for (let waited = 0; waited < READY_MS; waited += 20) {
    const found = [...printed().matchAll(/answers at (\w+):\/\/127\.0\.0\.1:(\d+)/g)]
    if (found.length === 4 && /no list yet|items at the sequence/.test(printed()))
      return Object.fromEntries(found.map(([, name, port]) => [name, Number(port)])) as RunningEdge['ports']
    if (child.exitCode !== null) throw new Error(`the edge ended with ${child.exitCode}: ${printed()}`)
    await sleep(20)
  }
  throw new Error(`the edge does not answer: ${printed()}`)
}

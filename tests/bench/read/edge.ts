/**
 * An edge over a list of many names, beside Debian's redis-server, memcached and rbldnsd with the same keys: gets a
 * CPU-second of each server, by redis-benchmark, by a pipelined client, and by dnsperf. Half of what is asked is listed.
 * Run: npm run bench -- edge [items] [gets]
 * A server that is not there is left out: apt-get install redis-server redis-tools memcached rbldnsd dnsperf
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { HARRIER } from '../../builders/platform/command.ts'
import { useOf } from '../parts/processes.ts'

const [ITEMS = 1_000_000, GETS = 1_000_000] = process.argv.slice(2).map(Number)
const FEED = '01a22c67-f2b9-7062-92de-1a64ece2baee'
const ZONE = 'bl.test'
const PORTION = 10_000
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const children: ChildProcess[] = []

/** As redis-benchmark writes a random number. */
const nameOf = (i: number): string => `h${String(i).padStart(12, '0')}.example`
const itemOf = (i: number) => ({
  id: '',
  type: 'domain',
  value: nameOf(i),
  reputation: -1 - (i % 3),
  accuracy: i % 4,
  tags: [`family-${i % 50}`],
})

/** A platform with one feed that never changes. */
async function platform(): Promise<string> {
  const server = createServer(async (req, res) => {
    if (req.url!.includes('/delta')) {
      const wait = Number(new URL(req.url!, 'http://x').searchParams.get('wait'))
      await sleep(wait * 1_000, undefined, { ref: false })
      return res.end(JSON.stringify({ items: [], cursor: 'c', more: false }))
    }
    res.writeHead(200, { 'x-feed-items': ITEMS, 'x-feed-sequence': ITEMS, 'x-feed-cursor': 'c' })
    for (let at = 0; at < ITEMS; at += PORTION) {
      let text = ''
      for (let i = at; i < Math.min(ITEMS, at + PORTION); i++) text += `${JSON.stringify(itemOf(i))}\n`
      if (!res.write(text)) await new Promise((resolve) => res.once('drain', resolve))
    }
    res.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

function start(command: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

const cpuOf = ({ pid }: ChildProcess): number => useOf(pid!).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)

/** Resolves with the milliseconds until the edge says that it has all items, and its ports. */
async function edge(url: string) {
  const began = performance.now()
  const listens = ['http', 'redis', 'memcached', 'dns'].flatMap((name) => [
    '--listen',
    `${name}://127.0.0.1:0${name === 'dns' ? `/${ZONE}` : ''}`,
  ])
  const child = start(process.execPath, [HARRIER, 'edge', '--feed', FEED, '--data', join(folder, 'edge'), ...listens], {
    HARRIER_URL: url,
    HARRIER_API_KEY: 'key-0123456789abcdef',
    HARRIER_API_SECRET: 'secret-0123456789abcdef',
  })
  let printed = ''
  child.stdout!.on('data', (chunk) => (printed += chunk))
  while (!printed.includes(`${ITEMS} items at the sequence`)) await sleep(20)
  const ports = Object.fromEntries(
    [...printed.matchAll(/answers at (\w+):\/\/127\.0\.0\.1:(\d+)/g)].map(([, name, port]) => [name!, Number(port)]),
  )
  return { child, ports, took: performance.now() - began }
}

/** Gets a CPU-second of a server, while `ask` asks it so many times; and gets a second. */
async function measured(
  name: string,
  server: ChildProcess,
  gets: number,
  ask: () => Promise<unknown>,
): Promise<number> {
  await ask()
  const [cpu, from] = [cpuOf(server), performance.now()]
  await ask()
  const spent = cpuOf(server) - cpu
  const seconds = (performance.now() - from) / 1_000
  const each = gets / spent
  console.log(
    `${name.padEnd(34)} ${Math.round(each).toLocaleString('en').padStart(10)} a CPU-second ${Math.round(gets / seconds)
      .toLocaleString('en')
      .padStart(10)}/s`,
  )
  return each
}

const redisBenchmark = (port: number) =>
  run('redis-benchmark', [
    '-p',
    String(port),
    '-P',
    '32',
    '-c',
    '8',
    '-n',
    String(GETS),
    '-r',
    String(2 * ITEMS),
    '-q',
    'GET',
    'h__rand_int__.example',
  ])

/** Pipelines of single gets over eight connections, as clients of memcached send them. */
async function memcachedGets(port: number): Promise<void> {
  const each = GETS / 8
  const random = (i: number) => nameOf((i * 7_919 * 104_729) % (2 * ITEMS))
  await Promise.all(
    Array.from({ length: 8 }, async (_, c) => {
      const socket = connect(port, '127.0.0.1')
      let [sent, ends] = [0, 0]
      const send = (): void => {
        let text = ''
        for (let i = 0; i < 100 && sent < each; i++, sent++) text += `get ${random(c * each + sent)}\r\n`
        socket.write(text)
      }
      await new Promise<void>((resolve) => {
        socket.on('data', (piece) => {
          // Every reply ends with a line of its own, which no value has in it.
          for (let at = piece.indexOf('ND\r\n'); at >= 0; at = piece.indexOf('ND\r\n', at + 4)) ends++
          if (ends >= each) return resolve()
          if (ends >= sent - 50 && sent < each) send()
        })
        send()
      })
      socket.destroy()
    }),
  )
}

async function dnsQueries(port: number): Promise<void> {
  await run('dnsperf', [
    '-s',
    '127.0.0.1',
    '-p',
    String(port),
    '-d',
    join(folder, 'queries'),
    '-Q',
    '1000000',
    '-n',
    '1',
    '-c',
    '4',
    '-q',
    '200',
  ])
}

const there = (command: string): Promise<boolean> =>
  run('which', [command]).then(
    () => true,
    () => false,
  )

async function redisServer(): Promise<{ child: ChildProcess; port: number }> {
  const port = 17_800 + (process.pid % 1_000)
  const child = start('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ])
  child.stdout!.resume()
  await sleep(500)
  const load = start('redis-cli', ['-p', String(port), '--pipe'])
  load.stdout!.resume()
  for (let at = 0; at < ITEMS; at += PORTION) {
    let text = ''
    for (let i = at; i < Math.min(ITEMS, at + PORTION); i++) {
      const { value, reputation, accuracy, tags } = itemOf(i)
      const json = JSON.stringify({
        value,
        listed: true,
        id: `domain-${'0'.repeat(64)}`,
        type: 'domain',
        reputation,
        accuracy,
        tags,
      })
      text += `*3\r\n$3\r\nSET\r\n$${value.length}\r\n${value}\r\n$${json.length}\r\n${json}\r\n`
    }
    if (!load.stdin!.write(text)) await new Promise((resolve) => load.stdin!.once('drain', resolve))
  }
  load.stdin!.end()
  await new Promise((resolve) => load.once('exit', resolve))
  return { child, port }
}

async function rbldnsd(): Promise<{ child: ChildProcess; port: number }> {
  const port = 18_800 + (process.pid % 1_000)
  const zone = join(folder, 'zone')
  // It reads as a user of its own.
  chmodSync(folder, 0o755)
  writeFileSync(zone, `:127.0.0.2:listed\n${Array.from({ length: ITEMS }, (_, i) => nameOf(i)).join('\n')}\n`)
  const child = start('rbldnsd', ['-n', '-b', `127.0.0.1/${port}`, '-u', 'nobody', `${ZONE}:dnset:${zone}`])
  child.stdout!.resume()
  await sleep(2_000 + ITEMS / 500)
  return { child, port }
}

const told = (name: string, child: ChildProcess): void => {
  const { resident, anonymous } = useOf(child.pid!)[0]!
  console.log(
    `${name.padEnd(34)} ${resident.toFixed(0)} MiB resident, ${anonymous.toFixed(0)} of it not the list's pages`,
  )
}

try {
  const url = await platform()
  const first = await edge(url)
  console.log(
    `${ITEMS} items read and stored in ${(first.took / 1_000).toFixed(1)} s, ${cpuOf(first.child).toFixed(1)} CPU-seconds`,
  )
  told('after the first start', first.child)
  first.child.kill('SIGTERM')
  await new Promise((resolve) => first.child.once('exit', resolve))
  const { child, ports, took } = await edge(url)
  console.log(
    `answers ${(took / 1_000).toFixed(2)} s after a start with the list on disk, ${cpuOf(child).toFixed(2)} CPU-seconds`,
  )
  told('after that', child)
  writeFileSync(
    join(folder, 'queries'),
    Array.from({ length: 200_000 }, (_, i) => `${nameOf((i * 7_919 * 104_729) % (2 * ITEMS))}.${ZONE} A`).join('\n'),
  )
  if (await there('redis-benchmark')) {
    const ours = await measured('edge, redis, pipelines of 32', child, GETS, () => redisBenchmark(ports.redis!))
    if (await there('redis-server')) {
      const redis = await redisServer()
      const theirs = await measured('redis-server', redis.child, GETS, () => redisBenchmark(redis.port))
      console.log(`ratio ${(ours / theirs).toFixed(2)}`)
      redis.child.kill()
    }
  }
  await measured('edge, memcached, pipelines of 100', child, GETS, () => memcachedGets(ports.memcached!))
  if (await there('dnsperf')) {
    const ours = await measured('edge, DNS over UDP', child, 200_000, () => dnsQueries(ports.dns!))
    if (await there('rbldnsd')) {
      const rbl = await rbldnsd()
      const theirs = await measured('rbldnsd', rbl.child, 200_000, () => dnsQueries(rbl.port))
      console.log(`ratio ${(ours / theirs).toFixed(2)}`)
    }
  }
  told('at the end', child)
  console.log(`load ${loadavg()[0]!.toFixed(1)}`)
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)

/**
 * Scans of users from the POST to the end, over the running platform, beside the bare probes of the same targets; then
 * how soon a scan of a user begins while automatic ones wait. Run: npm run bench -- scans [scans] [automatic]
 */

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openScans } from '../../../cli/wiring/modules/scans-module.ts'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { createScanner } from '../../../connectors/network/scanner/scanner.ts'
import { embeddedDatabase } from '../../../connectors/postgres/core/embedded/embedded-database.ts'
import { loadConfig } from '../../../platform/config.ts'
import { SYSTEM_USER } from '../../../schemas/scans/scan.ts'
import { newUserOf } from '../../builders/accounts/users.ts'
import { metricsOf } from '../../builders/platform/metrics.ts'
import { type Platform, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { useOf } from '../parts/processes.ts'

const SCANS = Number(process.argv[2] ?? 1_000)
const AUTOMATIC = Number(process.argv[3] ?? 10_000)
const CLIENTS = 16
const PATH = '/api/ingest/v1/scan'
const targets = Array.from({ length: SCANS }, (_, i) => `127.1.${i >> 7}.${(i & 127) + 1}`)

const greeting = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.end('SSH-2.0-OpenSSH_9.2p1\r\n')
})
greeting.listen(0, '0.0.0.0')
await once(greeting, 'listening')
const { port } = greeting.address() as AddressInfo
const dataDir = temporaryFolder()
const env = { HARRIER_SCAN_ALLOW_PRIVATE: 'true', HARRIER_SCAN_PORTS: String(port) }

/** `work` of every item, by that many at a time. */
async function each<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
    }),
  )
}

const percentile = (sorted: readonly number[], share: number): string =>
  sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(0)

type Task = { status: string; createdAt: string; startedAt: string | null; finishedAt: string | null }
const ms = (from: string, to: string | null): number => Date.parse(to!) - Date.parse(from)

async function ended(platform: Platform, id: string, headers: Record<string, string>, every: number): Promise<Task> {
  for (;;) {
    const { body } = await platform.ask(`${PATH}/${id}`, undefined, headers)
    if (body.finishedAt !== null) return body
    await sleep(every)
  }
}

async function bare(): Promise<number> {
  const scanner = createScanner({ ports: [port], allowPrivate: true })
  const began = performance.now()
  await each(targets, CLIENTS, async (value) => {
    await scanner.scan({ kind: 'ip', value }, new AbortController().signal)
  })
  return (performance.now() - began) / 1000
}

async function ofUsers(platform: Platform): Promise<number> {
  const { headers } = await newUserOf(platform, { roles: ['user'], groups: ['blue'] })
  const cpu = () => useOf(platform.pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const [began, before] = [performance.now(), cpu()]
  const ids: string[] = []
  await each(targets, CLIENTS, async (target) => {
    const { status, body } = await platform.ask(PATH, { target }, headers)
    if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`)
    ids.push(body.id)
  })
  const posted = (performance.now() - began) / 1000
  const tasks: Task[] = []
  await each(ids, CLIENTS, async (id) => void tasks.push(await ended(platform, id, headers, 100)))
  const seconds =
    Math.max(...tasks.map(({ finishedAt }) => Date.parse(finishedAt!))) -
    Math.min(...tasks.map(({ createdAt }) => Date.parse(createdAt)))
  const took = tasks.map(({ createdAt, finishedAt }) => ms(createdAt, finishedAt)).sort((a, b) => a - b)
  const failed = tasks.filter(({ status }) => status !== 'done').length
  console.log(
    `${SCANS} scans of users: posted in ${posted.toFixed(1)} s, ended in ${(seconds / 1000).toFixed(1)} s, ${failed} failed;`,
    `POST to done p50 ${percentile(took, 0.5)} ms, p99 ${percentile(took, 0.99)} ms; ${(cpu() - before).toFixed(1)} CPU-seconds`,
  )
  return seconds / 1000
}

/** Stores automatic scans as the platform itself would. */
async function automatic(): Promise<void> {
  const database = await embeddedDatabase({ folder: join(dataDir, 'accounts') })
  const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: dataDir }))
  const scans = openScans(database.db, registry.ids.scanRequest)
  for (let i = 0; i < AUTOMATIC; i++)
    await scans.schedule({
      id: randomUUID(),
      target: { kind: 'ip', value: `127.2.${i >> 7}.${(i & 127) + 1}` },
      priority: 'automatic',
      userId: SYSTEM_USER,
      account: false,
      source: SYSTEM_USER,
      trust: 0.6,
      audience: ['public'],
      webhook: null,
      createdAt: Date.now(),
    })
  await registry.close()
  await database.close()
}

async function besideAutomatic(platform: Platform): Promise<void> {
  const { headers } = await newUserOf(platform, { roles: ['user'], groups: ['blue'] })
  const waits: number[] = []
  const left = async () => /^harrier_scans\{status="done"\} (\d+)$/m.exec(await metricsOf(platform.url))?.[1]
  for (let i = 0; i < 20; i++) {
    const { body } = await platform.ask(PATH, { target: `127.3.0.${i + 1}` }, headers)
    const task = await ended(platform, body.id, headers, 50)
    waits.push(ms(task.createdAt, task.startedAt))
  }
  waits.sort((a, b) => a - b)
  console.log(
    `beside ${AUTOMATIC} automatic scans (${await left()} done of all by the end): a scan of a user begins after`,
    `p50 ${percentile(waits, 0.5)} ms, most ${percentile(waits, 1)} ms`,
  )
}

try {
  const baseline = await bare()
  console.log(
    `${SCANS} bare probes by ${CLIENTS}: ${baseline.toFixed(1)} s; load of the machine ${loadavg()[0]!.toFixed(1)}`,
  )
  let platform = await startPlatform(dataDir, env)
  const seconds = await ofUsers(platform)
  console.log(
    `${(SCANS / seconds).toFixed(0)} scans a second, ${(seconds / baseline).toFixed(1)} times the bare probes`,
  )
  await platform.stop()
  await automatic()
  platform = await startPlatform(dataDir, env)
  await besideAutomatic(platform)
  await platform.stop()
} finally {
  greeting.close()
  remove(dataDir)
}

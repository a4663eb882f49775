/**
 * An edge beside a platform. How long after its 202 a removal is effective over redis, and what 9,000 connections that send
 * much and read nothing do to the answers of 1,000 others: by turns without and with them.
 * Run: npm run bench -- edge-live [removals]
 * Needs 11,000 open files for this process and for the edge: ulimit -n
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendBulk } from '../../builders/api/bulk-platform.ts'
import { startEdge } from '../../builders/edge/running-edge.ts'
import { ADMINISTRATOR, eventually, startPlatform } from '../../builders/platform/platform.ts'
import { useOf } from '../parts/processes.ts'
import { at } from '../parts/timed.ts'

const [REMOVALS = 100] = process.argv.slice(2).map(Number)
const [READERS, MUTE] = [1_000, 9_000]
const SECONDS = 6
const ITEMS = 2_000
const folder = mkdtempSync(join(tmpdir(), 'harrier-bench-'))
const nameOf = (i: number): string => `h${i}.edge-live.example`
const report = (value: string, reputation: number) =>
  JSON.stringify({ type: 'domain', attributes: { domain: value }, reputation, tags: ['edge-live'] })
const get = (value: string): string => `*2\r\n$3\r\nGET\r\n$${value.length}\r\n${value}\r\n`

/** Asks one after the other over one connection. */
function asker(socket: Socket) {
  let resolve: ((reply: string) => void) | undefined
  let reply = ''
  socket.on('data', (piece) => {
    reply += piece.toString()
    if (!reply.startsWith('$-1\r\n') && reply.split('\r\n').length < 3) return
    resolve?.(reply)
    reply = ''
  })
  return (value: string): Promise<string> =>
    new Promise((done) => {
      resolve = done
      socket.write(get(value))
    })
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

/** Milliseconds of answers to the readers, each of which asks every tenth of a second. */
async function answered(readers: readonly ((value: string) => Promise<string>)[]): Promise<number[]> {
  const took: number[] = []
  const until = performance.now() + SECONDS * 1_000
  await Promise.all(
    readers.map(async (ask, i) => {
      await sleep((i * 100) / READERS)
      while (performance.now() < until) {
        const from = performance.now()
        await ask(nameOf(i))
        took.push(performance.now() - from)
        await sleep(100)
      }
    }),
  )
  return took.sort((a, b) => a - b)
}

const platform = await startPlatform(join(folder, 'data'))
try {
  const lines = Array.from({ length: ITEMS }, (_, i) => report(nameOf(i), -3))
  await sendBulk(platform.url, lines.join('\n'), ADMINISTRATOR)
  const selector = { tags: { all: ['edge-live'] }, reputation: { lte: 1 } }
  const feed = (await platform.ask('/api/feeds/v1/feeds', { name: 'bench', selector, guard: null })).body.id
  const edge = await startEdge({ url: platform.url, feed, folder })
  await eventually(
    () => edge.metric('items'),
    (items) => items === ITEMS,
  )
  const ask = asker(await opened(edge.ports.redis))
  const removed: number[] = []
  for (let i = 0; i < REMOVALS; i++) {
    await platform.ask('/api/ingest/v1/entity', JSON.parse(report(nameOf(i), 3)))
    const from = performance.now()
    while ((await ask(nameOf(i))) !== '$-1\r\n') await sleep(5)
    removed.push(performance.now() - from)
    await sleep(Math.random() * 300)
  }
  removed.sort((a, b) => a - b)
  console.log(`removal after its 202: p50 ${at(removed, 0.5).toFixed(0)} ms, p99 ${at(removed, 0.99).toFixed(0)} ms`)

  const readers = []
  for (let i = 0; i < READERS; i++) readers.push(asker(await opened(edge.ports.redis)))
  const mute: Socket[] = []
  const pipeline = Array.from({ length: 200 }, (_, i) => get(nameOf(REMOVALS + i))).join('')
  for (const turn of [1, 2]) {
    const alone = await answered(readers)
    for (let i = 0; i < MUTE; i++) {
      const socket = await opened(edge.ports.redis)
      socket.pause()
      socket.write(pipeline)
      mute.push(socket)
    }
    const beside = await answered(readers)
    const [a, b] = [at(alone, 0.99), at(beside, 0.99)]
    const resident = useOf(edge.pid)[0]!.resident
    console.log(
      `turn ${turn}: p99 of ${READERS} readers ${a.toFixed(1)} ms alone, ${b.toFixed(1)} ms beside ${MUTE} that read nothing: ${(b / a).toFixed(2)} times; ${resident.toFixed(0)} MiB resident`,
    )
    for (const socket of mute.splice(0)) socket.destroy()
    await sleep(1_000)
  }
  console.log(`load ${loadavg()[0]!.toFixed(1)}`)
  await edge.stop()
} finally {
  await platform.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)

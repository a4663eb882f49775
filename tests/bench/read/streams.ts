/**
 * Streams of changes to many clients over HTTP, beside a server that writes the same bytes to as many and looks at nothing:
 * CPU-seconds of the server for each second, memory, and how many events arrive. Then how fast a stream goes on that is far
 * behind. Server and clients are processes of their own.
 *
 *     npm run bench -- streams [clients] [changes a second] [users] [seconds] [filter]
 *
 * `filter` is a tag that one of twenty changes has: `rare`; none by default.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { StreamBody } from '../../../api/http/answers/stream-body.ts'
import { type Route, reply, route } from '../../../api/http/route.ts'
import { EVENT_STREAM } from '../../../api/live/services/following/forms.ts'
import type { Change } from '../../../schemas/intelligence/state/change.ts'
import { changesFrom, type Report } from '../../builders/api/live/random-changes.ts'
import { memberOf, memoryStreams } from '../../builders/api/live/streams.ts'
import { serveRoutes } from '../../builders/api/serve-routes.ts'

const [role = '', ...given] = process.argv.slice(2)
const FILE = fileURLToPath(import.meta.url)
const TURN_MS = 20
/** The most that a reader of the log takes at once. */
const BATCH = 5_000

type Figures = { cpu: number; mib: number }

/** Changes of one entity whose reputation goes up and down; one in twenty has a tag more. */
function changes(n: number): Change[] {
  const report: Report = {
    value: 'a.example',
    audience: ['public'],
    reputation: -2,
    tags: ['x'],
    source: 's1',
    links: [],
  }
  const [, change] = changesFrom([report, { ...report, reputation: 2 }])
  const [row] = change!.rows
  const shown = [row!.before!, row!.after]
  return Array.from({ length: n }, (_, offset) => {
    const [before, after] = [shown[offset % 2]!, shown[(offset + 1) % 2]!]
    const tags = offset % 20 === 0 ? ['rare', 'x'] : ['x']
    return { ...change!, observationId: `o${offset}`, offset, rows: [{ ...row!, before, after: { ...after, tags } }] }
  })
}

/** Answers `/events/{user}` of both sides; a message says to begin, another one asks for the figures. */
async function server([side = 'ours', rate = '1000', seconds = '10', filter = '']: string[]): Promise<void> {
  const streams = memoryStreams({ most: Number.POSITIVE_INFINITY, batch: BATCH, now: Date.now })
  const bare = new Set<{ write(text: Buffer): void }>()
  const events: Route = route({
    method: 'get',
    path: '/events/{user}',
    id: 'test',
    summary: 'Events.',
    tag: 'Bench',
    access: 'anyone',
    scope: null,
    params: Type.Object({ user: Type.String() }),
    responses: { 200: { media: 'text/event-stream', description: 'Events' } },
    handler: async ({ params }) => {
      if (side === 'bare') {
        return reply(
          200,
          new StreamBody('text/event-stream', (sink) => {
            bare.add(sink)
            sink.signal.addEventListener('abort', () => bare.delete(sink))
          }),
        )
      }
      const user = { ...memberOf(['public']), userId: params.user }
      const start = await streams.service.open({
        user,
        again: async () => user,
        ip: '127.0.0.1',
        filter: filter === '' ? {} : { tags: filter },
        since: null,
        form: EVENT_STREAM,
      })
      return reply(200, new StreamBody('text/event-stream', start))
    },
  })
  const served = await serveRoutes([events])
  const all = changes(Number(rate) * (Number(seconds) + 1))
  const text = Buffer.from(`id: ${'x'.repeat(64)}\nevent: change\ndata: ${'y'.repeat(430)}\n\n`)
  process.send!({ url: served.url })
  await once(process, 'message')
  const began = process.cpuUsage()
  const from = performance.now()
  for (let sent = 0; sent < all.length; ) {
    const due = Math.min(all.length, Math.floor(((performance.now() - from) / 1000) * Number(rate)))
    if (side === 'bare') {
      const batch = Buffer.concat(Array.from({ length: Math.max(0, due - sent) }, () => text))
      if (batch.length > 0) for (const sink of bare) sink.write(batch)
    } else streams.append(all.slice(sent, due))
    sent = Math.max(sent, due)
    await sleep(TURN_MS)
  }
  const { user, system } = process.cpuUsage(began)
  const figures: Figures = {
    cpu: (user + system) / 1e6 / ((performance.now() - from) / 1000),
    mib: process.memoryUsage().rss / 2 ** 20,
  }
  process.send!(figures)
}

/** Reads as many streams, and says how many events came. */
async function clients([url = '', count = '1', users = '1']: string[]): Promise<void> {
  let events = 0
  let open = 0
  let lagging = 0
  await Promise.all(
    Array.from({ length: Number(count) }, async (_, i) => {
      const user = `00000000-0000-4000-8000-${String(i % Number(users)).padStart(12, '0')}`
      const request = get(`${url}/events/${user}`, { agent: false })
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      if (answer.statusCode !== 200) throw new Error(`refused with ${answer.statusCode}`)
      open++
      answer.on('data', (piece: Buffer) => {
        if (piece.includes('event: lagging')) lagging++
        for (let at = piece.indexOf('event: change'); at !== -1; at = piece.indexOf('event: change', at + 13)) events++
      })
    }),
  )
  process.send!({ open })
  await once(process, 'message')
  process.send!({ events, lagging })
  process.exit()
}

async function measured(
  side: string,
  [count, rate, users, seconds, filter]: string[],
): Promise<Figures & { events: number; lagging: number }> {
  const serving = fork(FILE, ['server', side, rate!, seconds!, filter ?? ''])
  const [{ url }] = (await once(serving, 'message')) as [{ url: string }]
  const reading = fork(FILE, ['clients', url, count!, users!])
  await once(reading, 'message')
  serving.send('begin')
  const [figures] = (await once(serving, 'message')) as [Figures]
  await sleep(1_000)
  reading.send('end')
  const [{ events, lagging }] = (await once(reading, 'message')) as [{ events: number; lagging: number }]
  serving.kill()
  return { ...figures, events, lagging }
}

async function main(): Promise<void> {
  const [count = '1000', rate = '1000', users = '10', seconds = '10', filter = ''] = [role, ...given].filter(Boolean)
  const asked = [count, rate, users, seconds, filter]
  console.log(
    `${count} streams of ${users} users, ${rate} changes a second, ${seconds} s${filter && `, tag ${filter}`}`,
  )
  for (const side of filter === '' ? ['bare', 'ours'] : ['ours']) {
    const { cpu, mib, events, lagging } = await measured(side, asked)
    console.log(
      `${side.padEnd(5)} ${cpu.toFixed(2)} cores, ${mib.toFixed(0)} MiB, ${events} events arrived, ${lagging} streams lagged`,
    )
  }
}

if (role === 'server') await server(given)
else if (role === 'clients') await clients(given)
else await main()

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { OwnBytes } from '../../../../../api/http/answers/raw-body.ts'
import { reply, route } from '../../../../../api/http/route.ts'
import { type ServedRoutes, serveRoutes } from '../../../../builders/api/serve-routes.ts'

/** More than a connection takes at once. */
const SIZE = 24_000_000
const SOON = { timeout: 30_000 }

let served: ServedRoutes
const made: Buffer[] = []
beforeAll(async () => {
  const media = 'application/octet-stream'
  const bytes = route({
    method: 'get',
    path: '/bytes',
    id: 'test',
    summary: 'Bytes.',
    tag: 'Test',
    access: 'anyone',
    scope: null,
    responses: { 200: { media, description: 'Bytes' } },
    handler: () => {
      made.push(Buffer.alloc(SIZE, 0x61))
      return reply(200, new OwnBytes(made.at(-1)!))
    },
  })
  served = await serveRoutes([bytes])
})
afterAll(() => served.stop(0))

const isFreed = (bytes: Buffer | undefined) => vi.waitFor(() => expect(bytes?.length).toBe(0), SOON)

test('a slow reader gets all of them, and they are freed when it has', async () => {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  socket.write('GET /bytes HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await vi.waitFor(() => expect(made).toHaveLength(1), SOON)
  await sleep(300)
  expect(made[0]?.length).toBe(SIZE)
  let [seen, others] = [0, 0]
  for await (const chunk of socket) {
    const from = seen === 0 ? chunk.indexOf('\r\n\r\n') + 4 : 0
    for (let at = from; at < chunk.length; at += 1) if (chunk[at] !== 0x61) others++
    seen += chunk.length - from
  }
  expect([seen, others]).toEqual([SIZE, 0])
  await isFreed(made.at(-1))
})

test('of a reader that leaves they are freed, too, and the next one is served', async () => {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  socket.write('GET /bytes HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
  await isFreed(made.at(-1))
  expect((await (await fetch(`${served.url}/bytes`)).bytes()).length).toBe(SIZE)
})

test('the head alone frees them', async () => {
  const head = await fetch(`${served.url}/bytes`, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(SIZE))
  await isFreed(made.at(-1))
})

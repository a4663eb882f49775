import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { httpEdge } from '../../../../builders/edge/http-edge.ts'
import { writeFirst } from '../../../../builders/network/write-first.ts'

const edge = httpEdge()
const few = httpEdge({ connections: 2 })
const hasty = httpEdge({ silentMs: 300 })

const GET = 'GET /v1/203.0.113.9 HTTP/1.1\r\nhost: x\r\n\r\n'

test('requests of one connection are answered in order, and it is kept', async () => {
  const socket = connect(edge.listener().port, '127.0.0.1')
  let text = ''
  socket.on('data', (piece) => (text += String(piece)))
  socket.write(`${GET}${GET.replace('203.0.113.9', '198.51.100.1')}${GET}`)
  await expect
    .poll(() => [...text.matchAll(/"listed":(\w+)/g)].map(([, listed]) => listed))
    .toEqual([...['true', 'false', 'true']])
  expect(socket.destroyed).toBe(false)
  socket.destroy()
})

test('very many pipelined requests hold up no other connection', async () => {
  const greedy = connect(edge.listener().port, '127.0.0.1')
  let answered = 0
  greedy.on('data', (piece) => (answered += String(piece).split('HTTP/1.1 200').length - 1))
  const many = 20_000
  greedy.write(GET.repeat(many))
  await once(greedy, 'data')
  await (await fetch(`${edge.url()}/v1/203.0.113.9`)).text()
  expect(answered).toBeLessThan(many)
  greedy.destroy()
})

test('of clients that send all before they read, several at once are answered, and others meanwhile', async () => {
  const value = (i: number): string => (i % 3 ? `198.51.${(i >> 8) & 255}.${i & 255}` : '203.0.113.9')
  const body = Array.from({ length: 100_000 }, (_, i) => `{"value":"${value(i)}"}\n`).join('')
  const head = `POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`
  const bytes = Buffer.from(head + body)
  const sent = Array.from({ length: 4 }, () => writeFirst(edge.url(), bytes))
  let others = 0
  const asking = (async () => {
    for (; others < 10; others++) expect((await fetch(`${edge.url()}/v1/203.0.113.9`)).status).toBe(200)
  })()
  for (const { last } of await Promise.all(sent)) expect(last).toContain('{"answered":100000,"refused":0}\n')
  await asking
})

test('beyond the bound connections are closed', async () => {
  const sockets = Array.from({ length: 2 }, () => connect(few.listener().port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await expect.poll(() => few.listener().connections()).toBe(2)
  const third = connect(few.listener().port, '127.0.0.1')
  third.resume()
  await once(third, 'close')
  sockets[0]!.destroy()
  await expect.poll(() => few.listener().connections()).toBe(1)
  expect((await fetch(`${few.url()}/healthz`)).status).toBe(200)
  sockets[1]!.destroy()
})

test('a client that never reads is closed', async () => {
  const socket = connect(hasty.listener().port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(GET.repeat(50_000))
  await expect.poll(() => hasty.listener().connections()).toBe(1)
  await expect.poll(() => hasty.listener().connections(), { timeout: 10_000 }).toBe(0)
  socket.destroy()
})

test('a body that never ends is left', async () => {
  const socket = connect(hasty.listener().port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    'POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"values":',
  )
  socket.resume()
  await once(socket, 'close')
  await expect.poll(() => hasty.listener().connections()).toBe(0)
})

test.each(['application/x-ndjson', 'application/json'])(
  'who sends a body of %s that is refused, and reads when all is sent, is told why',
  async (type) => {
    const head = `POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${20 * 1024 * 1024}\r\nconnection: close\r\n\r\n`
    const { last } = await writeFirst(
      edge.url(),
      Buffer.concat([Buffer.from(head), Buffer.alloc(20 * 1024 * 1024, 10)]),
    )
    expect(last).toContain('HTTP/1.1 413')
  },
)

/** Bodies that never end, over real HTTP: who sends them waits, others do not. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { asAdmin, errorOf, startApi } from '../../../../builders/api/api.ts'
import { during } from '../../../../builders/suite/during.ts'

const MIB = 1024 * 1024
const SEARCH = '/api/search/v1/entities/lookup'
const HOSTILE = '198.51.100.7'
const OTHER = '198.51.100.8'

const open: Socket[] = []
const api = during(() => startApi({}, { trustedProxies: 1 }))
afterAll(async () => {
  for (const socket of open) socket.destroy()
})

/** A request whose body lacks its last byte. */
async function unfinished(ip: string): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  open.push(socket)
  await once(socket, 'connect')
  const head = `POST ${SEARCH} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${ip}\r\ncontent-type: application/json\r\ncontent-length: ${MIB}\r\n\r\n`
  await new Promise((resolve) => socket.write(head + ' '.repeat(MIB - 1), resolve))
  return socket
}

/** With a body that does not come with its head. */
const asked = (ip: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(api.url + SEARCH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip, ...headers },
    body: JSON.stringify({ values: ['192.0.2.1', 'x'.repeat(1_000)], padding: undefined }) + ' '.repeat(300_000),
  })

test('an address that holds its share of unfinished bodies is told to wait; other addresses and users are not', async () => {
  for (let i = 0; i < 16; i++) await unfinished(HOSTILE)
  await expect.poll(async () => (await asked(HOSTILE)).status).toBe(429)
  const refused = await asked(HOSTILE)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await errorOf(refused)).code).toBe('rate_limited')
  expect((await asked(OTHER)).status).not.toBe(429)
  expect((await asked(HOSTILE, asAdmin)).status).not.toBe(429)
  for (const socket of open) socket.destroy()
  await expect.poll(async () => (await asked(HOSTILE)).status).not.toBe(429)
})

test('who sends refused bodies one after the other is told to wait before the next is read, others are not', async () => {
  const body = `{"values":[${'1,'.repeat(400_000)}1]}`
  const send = (ip: string) =>
    fetch(api.url + SEARCH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body,
    })
  const statuses: number[] = []
  for (let i = 0; i < 60 && statuses.at(-1) !== 429; i++) statuses.push((await send('198.51.100.9')).status)
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
  expect((await send(OTHER)).status).toBe(400)
})

test('a body that was announced and never came costs its sender nothing', async () => {
  const ip = '198.51.100.10'
  for (let i = 0; i < 3; i++) {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    open.push(socket)
    const head = `POST ${SEARCH} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${ip}\r\ncontent-type: text/plain\r\ncontent-length: 900000000\r\n\r\n`
    socket.write(head)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 415 /)
    socket.destroy()
  }
  expect((await asked(ip)).status).not.toBe(429)
})

import { afterAll, expect, test } from 'vitest'
import { connectTo, nameResolver, sendOutbound } from '../../../../../connectors/network/requests/request.ts'
import { nameServer } from '../../../../builders/network/name-server.ts'
import { receiver } from '../../../../builders/network/receiver.ts'

const server = await nameServer({
  'both.example.com': [['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111']],
  'four.example.com': [['8.8.8.8']],
  'six.example.com': [['2606:4700:4700::1111']],
  'none.example.com': [[]],
  'silent.example.com': [],
  'loopback.example.com': [['127.0.0.1']],
  'mapped.example.com': [['::ffff:127.0.0.1']],
  'mixed.example.com': [['8.8.8.8', '::1']],
  'changing.example.com': [['127.0.0.1'], ['8.8.8.8']],
})
const canary = await receiver((response) => response.end())
afterAll(async () => {
  await server.close()
  await canary.close()
})

const resolve = nameResolver([server.address])
const never = new AbortController().signal

test('a name has the addresses of both kinds, or of the one that there is', async () => {
  expect((await resolve('both.example.com', never)).sort()).toEqual(['1.1.1.1', '2606:4700:4700::1111', '8.8.8.8'])
  expect(await resolve('four.example.com', never)).toEqual(['8.8.8.8'])
  expect(await resolve('six.example.com', never)).toEqual(['2606:4700:4700::1111'])
})

test('a name without addresses and a name that does not exist are errors', async () => {
  await expect(resolve('none.example.com', never)).rejects.toMatchObject({ code: 'ENODATA' })
  await expect(resolve('missing.example.com', never)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('a name server that does not answer is left when the time is up', async () => {
  const began = performance.now()
  await expect(resolve('silent.example.com', AbortSignal.timeout(50))).rejects.toMatchObject({ code: 'ECANCELLED' })
  expect(performance.now() - began).toBeLessThan(1_500)
})

const to = (host: string, allowPrivate = false) =>
  sendOutbound(
    {
      url: `http://${host}:${canary.port}/`,
      method: 'POST',
      headers: [],
      body: Buffer.from('{}'),
      timeoutMs: 2_000,
      maxResponseBytes: 100,
      allowPrivate,
    },
    { resolve, connect: connectTo },
  )

test('names that lead to loopback do not lead there, by a real name server', async () => {
  for (const host of ['loopback.example.com', 'mapped.example.com', 'mixed.example.com'])
    expect(await to(host)).toMatchObject({ ok: false, reason: 'blocked' })
  expect(await to('missing.example.com')).toMatchObject({ ok: false, reason: 'dns' })
  expect(canary.accepted()).toBe(0)
  expect(await to('loopback.example.com', true)).toEqual({ ok: true, status: 200 })
  expect(canary.accepted()).toBe(1)
})

test('one request asks once: what the server would say next is not heard', async () => {
  // Asked a second time, it would lead elsewhere and nothing would arrive.
  expect(await to('changing.example.com', true)).toEqual({ ok: true, status: 200 })
  expect(server.asked.filter((one) => one === 'changing.example.com 1')).toHaveLength(1)
})

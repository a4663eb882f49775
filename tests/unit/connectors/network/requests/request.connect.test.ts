/** No connection to an address that is not public: every attempt is counted, and a canary listens where some would end. */

import { Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { OutboundRequest } from '../../../../../connectors/network/requests/port.ts'
import {
  type ConnectToTarget,
  connectTo,
  sendOutbound,
  type Target,
} from '../../../../../connectors/network/requests/request.ts'
import { webhookUrl } from '../../../../../schemas/scans/webhooks/url.ts'
import { HOSTILE_ADDRESSES, HOSTILE_URLS } from '../../../../builders/network/hostile.ts'
import { receiver } from '../../../../builders/network/receiver.ts'

const canary = await receiver((response) => response.end())
afterAll(() => canary.close())

const request = (url: string, given: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'POST',
  headers: [],
  body: Buffer.from('{}'),
  timeoutMs: 2_000,
  maxResponseBytes: 100,
  allowPrivate: false,
  ...given,
})

const BLOCKED = { ok: false, reason: 'blocked', message: 'the host resolves to an address that is not public' }

/** Connects to nothing; keeps where it would have. */
function recording() {
  const targets: Target[] = []
  const connect: ConnectToTarget = (target) => {
    targets.push(target)
    const socket = new Socket()
    setImmediate(() => socket.destroy(new Error('recorded')))
    return socket
  }
  return { targets, connect }
}

const HOST = 'https://hooks.example.com/'
const namesOf = (...answers: string[][]) => {
  let asked = 0
  return { resolve: async () => answers[Math.min(asked++, answers.length - 1)]!, asked: () => asked }
}

test('the canary is reached when private addresses are allowed, so that its silence means something', async () => {
  expect(await sendOutbound(request(canary.url, { allowPrivate: true }))).toEqual({ ok: true, status: 200 })
  const { resolve } = namesOf(['127.0.0.1'])
  const named = request(`http://hooks.example.com:${canary.port}/`, { allowPrivate: true })
  expect(await sendOutbound(named, { resolve, connect: connectTo })).toEqual({ ok: true, status: 200 })
  expect(canary.accepted()).toBe(2)
})

test('of everything hostile, nothing is connected to', async () => {
  const { targets, connect } = recording()
  const before = canary.accepted()
  const literals = HOSTILE_ADDRESSES.filter((address) => !address.includes('%')).map((address) =>
    address.includes(':') ? `http://[${address}]:${canary.port}/` : `http://${address}:${canary.port}/`,
  )
  // Those that are refused for their credentials, port or length alone lead to a public name.
  const urls = HOSTILE_URLS.filter((url) => URL.canParse(url) && !/[/@]hooks\.example\.com/.test(new URL(url).href))
  expect(urls.length).toBeGreaterThan(80)
  for (const url of [...literals, ...urls]) {
    expect(webhookUrl(url, { allowPrivate: false }).ok).toBe(false)
    const outcome = await sendOutbound(request(url), { ...namesOf(['8.8.8.8']), connect })
    expect([url, outcome.ok ? outcome : outcome.reason]).toEqual([url, expect.stringMatching(/^(blocked|invalid)$/)])
  }
  expect(targets).toEqual([])
  expect(canary.accepted()).toBe(before)
})

test('every spelling of loopback with the port of the canary leaves it alone, on the real network', async () => {
  const before = canary.accepted()
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    'localhost',
    'a.localhost',
    'localhost.',
  ]
  for (const host of [...hosts, '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '１２７.0.0.1', '127.0.0.1.'])
    expect(await sendOutbound(request(`http://${host}:${canary.port}/`))).toEqual(BLOCKED)
  expect(canary.accepted()).toBe(before)
})

for (const address of HOSTILE_ADDRESSES)
  test(`a name that leads to ${address}, alone or among public addresses, is not connected to`, async () => {
    const { targets, connect } = recording()
    for (const answer of [[address], ['8.8.8.8', address], [address, '2606:4700:4700::1111', '1.1.1.1']])
      expect(await sendOutbound(request(HOST), { ...namesOf(answer), connect })).toEqual(BLOCKED)
    expect(targets).toEqual([])
  })

test('a name that leads to the canary leaves it alone, on the real network', async () => {
  const before = canary.accepted()
  const url = `http://hooks.example.com:${canary.port}/`
  for (const answer of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['0.0.0.0'], ['::1'], ['8.8.8.8', '127.0.0.1']])
    expect(await sendOutbound(request(url), { ...namesOf(answer), connect: connectTo })).toEqual(BLOCKED)
  expect(canary.accepted()).toBe(before)
})

test('a name server that says something else the next time changes nothing: one question, and its answer is used', async () => {
  const { targets, connect } = recording()
  const names = namesOf(['8.8.8.8', '2606:4700:4700::1111'], ['127.0.0.1'])
  const network = { resolve: names.resolve, connect }
  expect(await sendOutbound(request(HOST), network)).toMatchObject({ ok: false, reason: 'failed' })
  expect(names.asked()).toBe(1)
  expect(targets.map(({ addresses }) => addresses)).toEqual([['8.8.8.8', '2606:4700:4700::1111']])
  // The next try asks again and judges again.
  expect(await sendOutbound(request(HOST), network)).toEqual(BLOCKED)
  expect(targets).toHaveLength(1)
})

test('the connection goes to the addresses that were judged, and the name is not looked up again', async () => {
  const before = canary.accepted()
  const socket = connectTo({ host: 'no-such-name.invalid', port: canary.port, secure: false, addresses: ['127.0.0.1'] })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  expect(socket.remoteAddress).toBe('127.0.0.1')
  socket.destroy()
  await expect.poll(canary.accepted).toBe(before + 1)
})

test('a name with thousands of addresses is judged by all of them, and a few are tried', async () => {
  const { targets, connect } = recording()
  const many = Array.from({ length: 4000 }, (_, i) => `8.8.${i >> 8}.${i & 255}`)
  expect(await sendOutbound(request(HOST), { ...namesOf([...many, '10.0.0.1']), connect })).toEqual(BLOCKED)
  expect(targets).toEqual([])
  await sendOutbound(request(HOST), { ...namesOf(many), connect })
  expect(targets[0]!.addresses).toEqual(many.slice(0, 8))
})

test('a name of a local network is not even looked up', async () => {
  const names = namesOf(['8.8.8.8'])
  for (const host of ['localhost', 'db.internal', 'metadata', 'printer.local'])
    expect(await sendOutbound(request(`http://${host}/`), { ...names, connect: connectTo })).toEqual(BLOCKED)
  expect(names.asked()).toBe(0)
})

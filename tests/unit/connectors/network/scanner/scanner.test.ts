/** Whole scans: what is found, what is never connected to, and when they end. */

import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { NameFound } from '../../../../../connectors/network/scanner/facts/found.ts'
import { ScanRefused } from '../../../../../connectors/network/scanner/port.ts'
import type { ProbeLimits } from '../../../../../connectors/network/scanner/probe-port.ts'
import {
  createScanner,
  dnsNames,
  type NameLookup,
  type ScannerOptions,
} from '../../../../../connectors/network/scanner/scanner.ts'
import type { SubmittedEntity } from '../../../../../schemas/intelligence/observations/observation.ts'
import { HOSTILE_ADDRESSES } from '../../../../builders/network/hostile.ts'
import { nameServer } from '../../../../builders/network/name-server.ts'
import { listener } from '../../../../builders/network/receiver.ts'

const canary = await listener((socket) => socket.write('SSH-2.0-canary\r\n'))
const silent = await listener(() => undefined)
afterAll(() => Promise.all([canary.close(), silent.close()]))

const never = new AbortController().signal
const found = (given: Partial<NameFound> = {}): NameFound => ({
  addresses: [],
  mailServers: [],
  nameServers: [],
  texts: [],
  ...given,
})

/** Answers about every name with the next of `answers`, the last one for ever. */
function namesOf(...answers: NameFound[]) {
  let asked = 0
  const names: NameLookup = {
    records: async () => answers[Math.min(asked++, answers.length - 1)]!,
    reverse: async () => {
      throw new Error('none')
    },
  }
  return { names, asked: () => asked }
}

/** Connects to nothing; keeps where it would have. */
function recording() {
  const places: string[] = []
  const open: ProbeLimits['connect'] = (address, port) => {
    places.push(`${address} ${port}`)
    return connect({ host: '127.0.0.1', port: canary.port, signal: AbortSignal.abort() })
  }
  return { places, connect: open }
}

const QUICK = { connectMs: 500, answerMs: 200, surpriseMs: 100 }
const scanner = (given: Partial<ScannerOptions> = {}) =>
  createScanner({ ports: [canary.port], allowPrivate: false, limits: QUICK, ...namesOf(found()), ...given })

const main = ({ type, attributes }: Pick<SubmittedEntity, 'type' | 'attributes'>) => `${type} ${attributes[type]}`
const OF_CANARY = [`port ${canary.port}/tcp`, 'ssh-banner SSH-2.0-canary']

test('a name is looked up, its addresses are probed, and the facts are one tree', async () => {
  const answer = found({ addresses: ['8.8.8.8'], texts: ['v=spf1 -all'] })
  const here: ProbeLimits['connect'] = (_, port) => connect({ host: '127.0.0.1', port })
  const { entities } = await scanner({ ...namesOf(answer), limits: { ...QUICK, connect: here } }).scan(
    { kind: 'domain', value: 'example.com' },
    never,
  )
  expect(entities.map(main)).toEqual(['domain example.com'])
  expect(entities[0]!.associations!.map(main)).toEqual(['ip 8.8.8.8', 'value v=spf1 -all'])
  expect(entities[0]!.associations![0]!.associations!.map(main)).toEqual(OF_CANARY)
})

test('an address on loopback is probed when that is allowed, and its facts stand alone', async () => {
  const before = canary.accepted()
  const { entities } = await scanner({ allowPrivate: true }).scan({ kind: 'ip', value: '127.0.0.1' }, never)
  expect(entities.map(main)).toEqual(OF_CANARY)
  expect(canary.accepted()).toBe(before + 1)
})

test('a name that leads to loopback by a real name server is probed when that is allowed only', async () => {
  const server = await nameServer({ 'here.example.com': [['127.0.0.1']], 'silent.example.com': [] })
  const target = { kind: 'domain', value: 'here.example.com' } as const
  const names = dnsNames([server.address])
  try {
    const before = canary.accepted()
    expect((await scanner({ names }).scan(target, never)).entities.map(main)).toEqual(['hostname here.example.com'])
    expect(canary.accepted()).toBe(before)
    const allowed = await scanner({ names, allowPrivate: true }).scan(target, never)
    expect(allowed.entities.map(main)).toEqual(['hostname here.example.com', ...OF_CANARY])
    expect(canary.accepted()).toBe(before + 1)
    const nobody = scanner({ names, totalMs: 50 }).scan({ kind: 'domain', value: 'silent.example.com' }, never)
    await expect(nobody).rejects.toThrow('no name server answered the query for silent.example.com')
  } finally {
    await server.close()
  }
})

test('an address that is not public is refused, and nothing is connected to', async () => {
  const before = canary.accepted()
  const { places, connect: open } = recording()
  for (const value of HOSTILE_ADDRESSES)
    await expect(
      scanner({ limits: { ...QUICK, connect: open } }).scan({ kind: 'ip', value }, never),
    ).rejects.toBeInstanceOf(ScanRefused)
  await expect(scanner().scan({ kind: 'ip', value: '127.0.0.1' }, never)).rejects.toThrow('the address is not public')
  expect(places).toEqual([])
  expect(canary.accepted()).toBe(before)
})

test('of the addresses of a name, those that are not public are not connected to, whoever they stand among', async () => {
  const { places, connect: open } = recording()
  for (const address of HOSTILE_ADDRESSES) {
    const names = namesOf(found({ addresses: [address, '8.8.8.8'] }))
    await scanner({ ...names, ports: [22], limits: { connect: open } }).scan(
      { kind: 'domain', value: 'example.com' },
      never,
    )
  }
  expect(new Set(places)).toEqual(new Set(['8.8.8.8 22']))
  const before = canary.accepted()
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0', '::1'])
    await scanner(namesOf(found({ addresses: [address] }))).scan({ kind: 'domain', value: 'example.com' }, never)
  expect(canary.accepted()).toBe(before)
})

test('a name of a local network is refused before anybody is asked', async () => {
  const names = namesOf(found({ addresses: ['8.8.8.8'] }))
  for (const value of ['db.internal', 'printer.local', 'a.localhost', 'x.home.arpa'])
    await expect(scanner(names).scan({ kind: 'domain', value }, never)).rejects.toBeInstanceOf(ScanRefused)
  expect(names.asked()).toBe(0)
})

test('a name that leads elsewhere the next time is asked about once: every connection goes to what was judged', async () => {
  const { places, connect: open } = recording()
  const names = namesOf(found({ addresses: ['8.8.8.8'] }), found({ addresses: ['127.0.0.1'] }))
  const ports = [22, 80, 443, 993, 40_000]
  await scanner({ ...names, ports, limits: { ...QUICK, connect: open } }).scan(
    { kind: 'domain', value: 'example.com' },
    never,
  )
  expect(names.asked()).toBe(1)
  expect(places.sort()).toEqual(ports.map((port) => `8.8.8.8 ${port}`).sort())
})

test('names of mail servers, name servers and certificates are not followed', async () => {
  const { places, connect: open } = recording()
  const names = namesOf(found({ mailServers: ['mx.example.net'], nameServers: ['ns.example.net'] }))
  await scanner({ ...names, limits: { connect: open } }).scan({ kind: 'domain', value: 'example.com' }, never)
  expect([names.asked(), places]).toEqual([1, []])
})

test('100 ports on four of many addresses are tried once each, eight at a time', async () => {
  let [now, most, all] = [0, 0, 0]
  const counting: ProbeLimits['connect'] = (_, port) => {
    most = Math.max(most, ++now)
    all++
    const socket: Socket = connect({ host: '127.0.0.1', port })
    return socket.on('close', () => now--)
  }
  const gone = await listener(() => undefined)
  await gone.close()
  const ports = Array.from({ length: 100 }, () => gone.port)
  const addresses = Array.from({ length: 10 }, (_, i) => `8.8.8.${i}`)
  const { entities } = await scanner({
    ...namesOf(found({ addresses })),
    ports,
    limits: { ...QUICK, connect: counting },
  }).scan({ kind: 'domain', value: 'example.com' }, never)
  expect(entities[0]!.associations!.map(main)).toEqual(addresses.map((address) => `ip ${address}`))
  expect(all).toBe(400)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(8)
})

test('when its time is up, a scan tells what it has found', async () => {
  const ports = [canary.port, ...Array.from({ length: 40 }, () => silent.port)]
  const manners = { ...QUICK, answerMs: 60_000, surpriseMs: 60_000 }
  const began = performance.now()
  const { entities } = await scanner({ ports, allowPrivate: true, limits: manners, totalMs: 300 }).scan(
    { kind: 'ip', value: '127.0.0.1' },
    never,
  )
  expect(performance.now() - began).toBeLessThan(3_000)
  expect(entities.map(main)).toEqual(expect.arrayContaining(OF_CANARY))
})

test('a scan that is stopped ends at once, with the reason and without findings', async () => {
  const manners = { ...QUICK, answerMs: 60_000, surpriseMs: 60_000 }
  const stop = new AbortController()
  const began = performance.now()
  const scanning = scanner({ ports: [silent.port], allowPrivate: true, limits: manners }).scan(
    { kind: 'ip', value: '127.0.0.1' },
    stop.signal,
  )
  setTimeout(() => stop.abort(new Error('shutting down')), 20)
  await expect(scanning).rejects.toThrow('shutting down')
  expect(performance.now() - began).toBeLessThan(3_000)
  const before = silent.accepted()
  await expect(
    scanner({ ports: [silent.port], allowPrivate: true }).scan({ kind: 'ip', value: '127.0.0.1' }, AbortSignal.abort()),
  ).rejects.toMatchObject({ name: 'AbortError' })
  expect(silent.accepted()).toBe(before)
})

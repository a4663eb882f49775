/** Ports of every manner on loopback: none of them stops a probe, or makes it read more than it has to. */

import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer as createSecure } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import type { PortFound } from '../../../../../connectors/network/scanner/facts/found.ts'
import { PROBE_LIMITS, probePort, type Service } from '../../../../../connectors/network/scanner/probe-port.ts'
import { CERTIFICATE, KEY } from '../../../../builders/network/certificate.ts'
import { listener, receiver } from '../../../../builders/network/receiver.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

const never = new AbortController().signal

async function listening(onSocket: (socket: Socket) => void) {
  const made = await listener(onSocket)
  closing.push(() => made.close())
  return made
}

async function securely(onSocket: (socket: Socket) => void) {
  const names: (string | false | null)[] = []
  const server = createSecure({ cert: CERTIFICATE, key: KEY }, (socket) => {
    names.push(socket.servername)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => server.close())
  return { port: (server.address() as AddressInfo).port, names }
}

/** For servers that answer: more than a busy machine needs. */
const LONG = { connectMs: 10_000, answerMs: 10_000, unexpectedMs: 1_000 }
/** For servers that do not: a silent one costs a fifth of a second. */
const SHORT = { connectMs: 10_000, answerMs: 200, unexpectedMs: 100 }

type Probed = { signal?: AbortSignal; host?: string; waits?: typeof LONG }
const probe = (
  port: number,
  service: Service,
  { signal = never, host = 'hooks.example.com', waits = LONG }: Probed = {},
): Promise<PortFound | null> =>
  probePort({ address: '127.0.0.1', host, port }, { ...PROBE_LIMITS, serviceOf: () => service, ...waits }, signal)

const CERTIFICATE_FOUND = {
  sha256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
  sha1: expect.stringMatching(/^([0-9A-F]{2}:){19}[0-9A-F]{2}$/),
  issuer: 'CN=hooks.example.com',
  subject: 'CN=hooks.example.com',
  validFrom: '2026-11-20',
  validTo: '2126-10-27',
  names: ['hooks.example.com'],
}

test('a server that greets is heard, and nothing is said to it', async () => {
  const heard: Buffer[] = []
  const ssh = await listening((socket) => {
    socket.on('data', (chunk) => heard.push(chunk))
    socket.write('SSH-2.0-OpenSSH_9.2p1\r\n')
  })
  expect(await probe(ssh.port, 'greets')).toEqual({
    port: ssh.port,
    banner: { kind: 'ssh', text: 'SSH-2.0-OpenSSH_9.2p1' },
  })
  const mail = await listening((socket) => socket.write('220 mx.example.com ESMTP Postfix\r\n'))
  expect((await probe(mail.port, 'greets'))?.banner?.text).toBe('220 mx.example.com ESMTP Postfix')
  expect(ssh.accepted()).toBe(1)
  expect(heard).toEqual([])
})

test('a greeting in pieces is one greeting', async () => {
  const { port } = await listening((socket) => {
    socket.write('220 mx.exa')
    setTimeout(() => socket.write('mple.com\r\nrest'), 20)
  })
  expect((await probe(port, 'greets'))?.banner?.text).toBe('220 mx.example.com')
})

test('a port where nothing listens is not open', async () => {
  const gone = await listener(() => undefined)
  await gone.close()
  for (const service of ['greets', 'http', 'https', 'greets-securely', 'unknown'] as const)
    expect(await probe(gone.port, service)).toBeNull()
})

test('a web server is asked for its name, once, and not followed anywhere', async () => {
  const web = await receiver((response) => {
    response.writeHead(302, { server: 'nginx/1.25 (Debian)', location: 'http://127.0.0.1:1/' }).end()
  })
  closing.push(() => web.close())
  expect(await probe(web.port, 'http')).toEqual({
    port: web.port,
    banner: { kind: 'http-server', text: 'nginx/1.25 (Debian)' },
  })
  expect(web.accepted()).toBe(1)
  expect(web.received).toMatchObject([{ headers: { host: 'hooks.example.com', connection: 'close' } }])
})

test('a web server with a head of more than 8 KiB is an open port, no more', async () => {
  const web = await receiver((response) => {
    response.setHeader('server', 'large').setHeader('x-a', 'x'.repeat(9_000)).end()
  })
  closing.push(() => web.close())
  expect(await probe(web.port, 'http')).toEqual({ port: web.port })
  expect(web.received).toHaveLength(1)
})

test('a secure web server shows its certificate and its name, whoever signed it, and hears which site is meant', async () => {
  const { port, names } = await securely((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nServer: Caddy\r\nContent-Length: 0\r\n\r\n'))
  })
  const found = { port, banner: { kind: 'http-server', text: 'Caddy' }, certificate: CERTIFICATE_FOUND }
  expect(await probe(port, 'https')).toEqual(found)
  expect(await probe(port, 'unknown')).toEqual(found)
  await probe(port, 'https', { host: '127.0.0.1' })
  expect(names).toEqual(['hooks.example.com', 'hooks.example.com', false])
})

test('a secure mail server greets when it is secure', async () => {
  const { port } = await securely((socket) => socket.write('* OK IMAP4rev1 ready\r\n'))
  expect(await probe(port, 'greets-securely')).toEqual({
    port,
    banner: { kind: 'greeting', text: '* OK IMAP4rev1 ready' },
    certificate: CERTIFICATE_FOUND,
  })
})

test('what an unknown port is shows itself: by its greeting, or as a web server', async () => {
  const ssh = await listening((socket) => socket.write('SSH-2.0-x\r\n'))
  expect((await probe(ssh.port, 'unknown'))?.banner).toEqual({ kind: 'ssh', text: 'SSH-2.0-x' })
  expect(ssh.accepted()).toBe(1)
  const web = await receiver((response) => response.setHeader('server', 'Apache').end())
  closing.push(() => web.close())
  expect((await probe(web.port, 'unknown'))?.banner).toEqual({ kind: 'http-server', text: 'Apache' })
})

const strange: { name: string; behave: (socket: Socket) => void }[] = [
  { name: 'says nothing', behave: () => undefined },
  { name: 'closes at once', behave: (socket) => socket.end() },
  { name: 'resets at once', behave: (socket) => socket.resetAndDestroy() },
  { name: 'says garbage', behave: (socket) => socket.write(Buffer.from(Array.from({ length: 256 }, (_, i) => i))) },
  { name: 'resets after garbage', behave: (socket) => socket.write('\0\0\0', () => socket.resetAndDestroy()) },
  {
    name: 'answers with an endless head',
    behave: (socket) => socket.once('data', () => endless(socket, 'HTTP/1.1 200 OK\r\nx: ', 'x'.repeat(65_536))),
  },
  {
    name: 'answers with an endless line of informational answers',
    behave: (socket) => socket.once('data', () => endless(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))),
  },
  { name: 'never stops', behave: (socket) => endless(socket, '', 'x'.repeat(65_536)) },
  {
    name: 'says a byte now and then',
    behave: (socket) => {
      const drip = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(drip))
    },
  },
]

/** Writes as long as the other side takes it. */
function endless(socket: Socket, first: string, rest: string): void {
  socket.write(first)
  const more = (): void => {
    while (!socket.destroyed && socket.write(rest));
  }
  socket.on('drain', more)
  more()
}

for (const { name, behave } of strange)
  for (const service of ['greets', 'http', 'https', 'greets-securely', 'unknown'] as const)
    test(`a server that ${name} is an open port, soon, when it is taken for ${service}`, async () => {
      const { port } = await listening(behave)
      const began = performance.now()
      expect(await probe(port, service, { waits: SHORT })).toEqual({ port })
      expect(performance.now() - began).toBeLessThan(2_500)
    })

test('of a server that never stops, no more than a few buffers are taken', async () => {
  const { port } = await listening((socket) => endless(socket, 'SSH-2.0-x', 'y'.repeat(65_536)))
  let taken = 0
  const counting = (address: string, at: number): Socket => {
    const socket = connect({ host: address, port: at })
    socket.on('close', () => (taken = socket.bytesRead))
    return socket
  }
  const manners = { ...PROBE_LIMITS, connect: counting, serviceOf: () => 'greets' as const }
  const found = await probePort({ address: '127.0.0.1', host: 'x', port }, manners, never)
  expect(found?.banner).toEqual({ kind: 'ssh', text: `SSH-2.0-x${'y'.repeat(1_015)}` })
  await expect.poll(() => taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(1_000_000)
})

test('the connection ends with the probe', async () => {
  let closed = 0
  const { port } = await listening((socket) => socket.on('close', () => closed++))
  const stop = new AbortController()
  const probing = probe(port, 'greets', { signal: stop.signal })
  setTimeout(() => stop.abort(), 20)
  expect(await probing).toEqual({ port })
  await expect.poll(() => closed).toBe(1)
})

test('nothing is connected to after the end', async () => {
  const { port, accepted } = await listening(() => undefined)
  expect(await probe(port, 'unknown', { signal: AbortSignal.abort() })).toBeNull()
  expect(accepted()).toBe(0)
})

import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, expect, test } from 'vitest'
import { connectTo, sendOutbound } from '../../../../../connectors/network/requests/request.ts'
import { CERTIFICATE, KEY } from '../../../../builders/network/certificate.ts'

const names: (string | false | null)[] = []
let requests = 0
const server = createServer({ cert: CERTIFICATE, key: KEY }, (_, response) => {
  requests++
  response.writeHead(202).end()
})
server.on('secureConnection', ({ servername }) => names.push(servername))
server.on('tlsClientError', () => undefined)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

const trusted = getCACertificates('default')
afterEach(() => setDefaultCACertificates(trusted))
afterAll(() => void server.close())

const to = (host: string) =>
  sendOutbound(
    {
      url: `https://${host}:${port}/`,
      method: 'POST',
      headers: [],
      body: Buffer.from('{}'),
      timeoutMs: 2_000,
      maxResponseBytes: 100,
      allowPrivate: true,
    },
    { resolve: async () => ['127.0.0.1'], connect: connectTo },
  )

test('a receiver with a certificate of its name is spoken to, and told which name is meant', async () => {
  setDefaultCACertificates([CERTIFICATE])
  expect(await to('hooks.example.com')).toEqual({ ok: true, status: 202 })
  expect(names.at(-1)).toBe('hooks.example.com')
})

test('a certificate of another name, of an address, or that nobody trusts is refused before anything is sent', async () => {
  const before = requests
  const message = 'the TLS handshake failed: '
  const failed = (code: string) => ({ ok: false, reason: 'tls', message: `${message}${code}` })
  expect(await to('hooks.example.com')).toEqual(failed('DEPTH_ZERO_SELF_SIGNED_CERT'))
  setDefaultCACertificates([CERTIFICATE])
  expect(await to('other.example.com')).toEqual(failed('ERR_TLS_CERT_ALTNAME_INVALID'))
  expect(await to('127.0.0.1')).toEqual(failed('ERR_TLS_CERT_ALTNAME_INVALID'))
  expect(requests).toBe(before)
})

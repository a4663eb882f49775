import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ImportRan, importer } from '../../builders/feeds/import/run.ts'

/** A TAXII server that demands a client certificate of its own authority, on loopback (decisions 15.5). */
const folder = mkdtempSync(join(tmpdir(), 'harrier-taxii-tls-'))
const file = (name: string): string => join(folder, name)
const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** An authority, with its key and certificate as `<name>.key` and `<name>.pem`. */
function newAuthority(name: string): void {
  openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
  )
}

/** A certificate that an authority signed. */
function newCertificate(name: string, authority: string, extension: string): void {
  writeFileSync(file(`${name}.ext`), extension)
  openssl('req', '-new', ...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
  const signed = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', '2']
  openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-extfile', `${name}.ext`, '-out', `${name}.pem`)
}

newAuthority('authority')
newAuthority('stranger')
newCertificate('server', 'authority', 'subjectAltName=IP:127.0.0.1')
newCertificate('partner', 'authority', 'extendedKeyUsage=clientAuth')
newCertificate('impostor', 'stranger', 'extendedKeyUsage=clientAuth')
openssl('ec', '-in', 'partner.key', '-aes256', '-passout', 'pass:open sesame', '-out', 'locked.key')
writeFileSync(file('nonsense.key'), 'correct-horse-battery-staple\n')

const COLLECTION = '/shared/collections/91a7b528-80eb-42ed-a74d-c6fbd5a26116/'
const ADDED = '2026-01-02T00:00:00.000000Z'
const OBJECT = {
  type: 'indicator',
  spec_version: '2.1',
  id: 'indicator--11111111-1111-4111-8111-000000000001',
  created: '2026-01-01T00:00:00.000Z',
  modified: '2026-01-01T00:00:00.000Z',
  pattern: "[ipv4-addr:value = '198.51.100.1']",
  pattern_type: 'stix',
  valid_from: '2026-01-01T00:00:00Z',
}

/** Who asked, by the name in its certificate. */
const asked: string[] = []
const demands = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(file('authority.pem')) }
const server = createServer(
  { ...demands, cert: readFileSync(file('server.pem')), key: readFileSync(file('server.key')) },
  (request, response) => {
    asked.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN))
    const isNew = new URL(request.url!, 'https://x').searchParams.get('added_after') === null
    response.writeHead(200, {
      'content-type': 'application/taxii+json;version=2.1',
      ...(isNew && { 'x-taxii-date-added-first': ADDED, 'x-taxii-date-added-last': ADDED }),
    })
    response.end(JSON.stringify(isNew ? { objects: [OBJECT] } : {}))
  },
)
server.on('tlsClientError', () => undefined)

const trusted = getCACertificates('default')
let url = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}${COLLECTION}`
  setDefaultCACertificates([...trusted, readFileSync(file('authority.pem'), 'utf8')])
})
afterAll(() => {
  setDefaultCACertificates(trusted)
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const SECRETS = ['partner.key', 'impostor.key', 'locked.key', 'nonsense.key']
  .flatMap((name) => readFileSync(file(name), 'utf8').split('\n'))
  .filter((line) => line.length > 20 && !line.startsWith('-----'))

/** Every way in which a run tells something. */
function told({ fault, out, err }: ImportRan): string {
  const causes: string[] = []
  for (let at: unknown = fault; at instanceof Error; at = at.cause) causes.push(`${at.message}\n${at.stack}`)
  return [...causes, out, err].join('\n')
}

async function imported(cert?: string, key = cert) {
  const { run, ports, dataDir } = await importer()
  const files = cert === undefined ? [] : ['--cert', file(`${cert}.pem`), '--key', file(`${key}.key`)]
  const ran = await run([url, '--format', 'taxii', '--feed', 'partner', ...files])
  for (const secret of SECRETS) expect(told(ran)).not.toContain(secret)
  rmSync(dataDir, { recursive: true, force: true })
  return { ...ran, values: ports.observations().map(({ value }) => value) }
}

test('with its certificate the collection is read, and nothing of the key is told', async () => {
  const { fault, out, values } = await imported('partner')
  expect([fault, values, asked.splice(0)]).toEqual([null, ['198.51.100.1'], ['partner']])
  expect(out).toContain('1 object read, 1 observation published')
})

test.each([
  ['without a certificate', undefined],
  ['with a certificate of another authority', 'impostor'],
])('%s the server is not asked, and the message says what it refuses', async (_, cert) => {
  const { fault, values } = await imported(cert)
  expect(fault?.message).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/shared\/collections\/.*: .*(alert|certificate)/)
  expect([values, asked.splice(0)]).toEqual([[], []])
})

test.each(['impostor', 'nonsense', 'locked'])(
  'a key that does not open the certificate is refused: %s',
  async (key) => {
    const { fault, values } = await imported('partner', key)
    expect(fault).not.toBeNull()
    expect([values, asked.splice(0)]).toEqual([[], []])
  },
)

test('files that are not there, or one without the other, are said by their flags', async () => {
  const { run, dataDir } = await importer()
  const args = [url, '--format', 'taxii', '--feed', 'partner']
  const missing = await run([...args, '--cert', file('none.pem'), '--key', file('partner.key')])
  expect(missing.fault?.message).toBe(`--cert: ${file('none.pem')} cannot be read (ENOENT)`)
  const alone = await run([...args, '--cert', file('partner.pem')])
  expect(alone.fault?.message).toBe('--cert and --key must be given together')
  expect(asked).toEqual([])
  rmSync(dataDir, { recursive: true, force: true })
})

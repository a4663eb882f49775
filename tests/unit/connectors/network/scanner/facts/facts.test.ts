import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factsOfAddress, factsOfName } from '../../../../../../connectors/network/scanner/facts/facts.ts'
import type {
  CertificateFound,
  HostFound,
  NameFound,
  PortFound,
} from '../../../../../../connectors/network/scanner/facts/found.ts'
import type { ScanFindings } from '../../../../../../connectors/network/scanner/port.ts'
import { expand, MAX_ENTITIES } from '../../../../../../schemas/intelligence/ingest/expand.ts'
import type {
  Provenance,
  SubmittedAssociation,
} from '../../../../../../schemas/intelligence/observations/observation.ts'

const SHA256 = Array.from({ length: 32 }, () => 'AB').join(':')
const certificate = (given: Partial<CertificateFound> = {}): CertificateFound => ({
  sha256: SHA256,
  sha1: Array.from({ length: 20 }, () => 'CD').join(':'),
  issuer: 'C=US, O=Example CA',
  subject: 'CN=example.com',
  validFrom: '2026-01-01',
  validTo: '2027-01-01',
  names: ['example.com', 'www.example.com'],
  ...given,
})
const SSH: PortFound = { port: 22, banner: { kind: 'ssh', text: 'SSH-2.0-x' } }
const HTTPS: PortFound = {
  port: 443,
  banner: { kind: 'http-server', text: 'nginx' },
  certificate: certificate(),
}
const nothing: NameFound = { addresses: [], mailServers: [], nameServers: [], texts: [] }

test('an address has its names, open ports, banners and certificates', () => {
  const host: HostFound = { address: '8.8.8.8', names: ['dns.example.com'], ports: [SSH, HTTPS] }
  const association = 'association'
  expect(factsOfAddress(host).entities).toEqual([
    {
      type: 'ip',
      attributes: { ip: '8.8.8.8' },
      associations: [
        { mode: association, type: 'hostname', attributes: { hostname: 'dns.example.com' }, associations: [] },
        { mode: 'aggregation', type: 'port', attributes: { port: '22/tcp' }, associations: [] },
        { mode: 'aggregation', type: 'port', attributes: { port: '443/tcp' }, associations: [] },
        {
          mode: association,
          type: 'ssh-banner',
          attributes: { 'ssh-banner': 'SSH-2.0-x', port: '22/tcp' },
          associations: [],
        },
        {
          mode: association,
          type: 'value',
          attributes: { value: 'nginx', port: '443/tcp', category: 'http server' },
          associations: [],
        },
        {
          mode: association,
          type: 'certificate-fingerprint',
          attributes: {
            'certificate-fingerprint': 'ab'.repeat(32),
            port: '443/tcp',
            sha1: 'cd'.repeat(20),
            issuer: 'c=us, o=example ca',
            value: 'CN=example.com',
            'date-of-issue': '2026-01-01',
            'expiration-date': '2027-01-01',
          },
          associations: [
            { mode: association, type: 'domain', attributes: { domain: 'example.com' }, associations: [] },
            { mode: association, type: 'hostname', attributes: { hostname: 'www.example.com' }, associations: [] },
          ],
        },
      ],
    },
  ])
})

/** `type value` of everything below the roots, in order, indented by level. */
const outline = ({ entities }: ScanFindings): string[] => {
  const lines = (one: Pick<SubmittedAssociation, 'type' | 'attributes' | 'associations'>, level: number): string[] => [
    `${'- '.repeat(level)}${one.type} ${one.attributes[one.type]}`,
    ...(one.associations ?? []).flatMap((part) => lines(part, level + 1)),
  ]
  return entities.flatMap((entity) => lines(entity, 0))
}

test('a name has its addresses, those that were probed with what they show, its servers and texts', () => {
  const found: NameFound = {
    addresses: ['8.8.8.8', '1.1.1.1', '8.8.8.8'],
    mailServers: ['mx.example.net', ''],
    nameServers: ['ns.example.org'],
    texts: ['v=spf1 -ALL'],
  }
  expect(outline(factsOfName('example.com', found, [{ address: '8.8.8.8', names: [], ports: [SSH] }]))).toEqual([
    'domain example.com',
    '- ip 8.8.8.8',
    '- - port 22/tcp',
    '- - ssh-banner SSH-2.0-x',
    '- ip 1.1.1.1',
    '- hostname mx.example.net',
    '- hostname ns.example.org',
    '- value v=spf1 -ALL',
  ])
  expect(outline(factsOfName('www.example.co.uk', nothing, []))).toEqual(['hostname www.example.co.uk'])
  expect(outline(factsOfName('example.co.uk', nothing, []))).toEqual(['domain example.co.uk'])
})

test('what belongs to a private address stands alone, after the target', () => {
  const ports = [SSH, { port: 8443, certificate: certificate() }]
  const facts = [
    ...['port 22/tcp', 'port 8443/tcp', 'ssh-banner SSH-2.0-x', `certificate-fingerprint ${'ab'.repeat(32)}`],
    ...['- domain example.com', '- hostname www.example.com'],
  ]
  const host = { address: '127.0.0.1', names: [], ports }
  expect(outline(factsOfAddress(host))).toEqual(facts)
  const found = { ...nothing, addresses: ['127.0.0.1'], nameServers: ['ns.example.org'] }
  expect(outline(factsOfName('example.com', found, [host]))).toEqual([
    ...['domain example.com', '- hostname ns.example.org', ...facts],
  ])
  expect(factsOfAddress({ ...host, ports: [] })).toEqual({ entities: [] })
})

test('names that are none and attributes without a valid value are left out, the rest stays', () => {
  const names = ['*.example.com', 'localhost', '10.0.0.1', '', 'a b', 'ok.example.com']
  const strange = certificate({ names, validFrom: '+012345-01-01', validTo: undefined, issuer: '', subject: '' })
  const { entities } = factsOfAddress({ address: '8.8.8.8', names, ports: [{ port: 1, certificate: strange }] })
  expect(outline({ entities })).toEqual([
    ...['ip 8.8.8.8', '- hostname ok.example.com', '- port 1/tcp'],
    ...[`- certificate-fingerprint ${'ab'.repeat(32)}`, '- - hostname ok.example.com'],
  ])
  expect(Object.keys(entities[0]!.associations!.at(-1)!.attributes).sort()).toEqual([
    ...['certificate-fingerprint', 'port', 'sha1'],
  ])
})

test('the names of one certificate are listed once, however many ports and addresses show it', () => {
  const hosts = ['8.8.8.8', '1.1.1.1'].map((address) => ({
    address,
    names: [],
    ports: [HTTPS, { ...HTTPS, port: 8443 }],
  }))
  const found = { ...nothing, addresses: ['8.8.8.8', '1.1.1.1'] }
  const lines = outline(factsOfName('example.com', found, hosts))
  expect(lines.filter((line) => line.includes('certificate-fingerprint'))).toHaveLength(4)
  expect(lines.filter((line) => line.endsWith('www.example.com'))).toHaveLength(1)
})

const ids = () => {
  let n = 0
  return { submissionId: 's', nextId: () => String(n++) }
}
const provenance: Provenance = {
  userId: 'u',
  source: 's',
  sourceKind: 'scan' as const,
  trust: 0.6,
  kind: 'report' as const,
  audience: ['public'],
  observedAt: Date.UTC(2026, 0, 1),
}

const count = (findings: ScanFindings): number => outline(findings).length

test('more than 1,000 facts lose the deepest ones, and are one submission still', () => {
  const ports = Array.from({ length: 100 }, (_, i): PortFound => {
    const names = Array.from({ length: 50 }, (_, n) => `h${n}.example${i}.com`)
    return { port: i + 1, certificate: certificate({ sha256: i.toString(16).padStart(64, '0'), names }) }
  })
  const findings = factsOfAddress({ address: '8.8.8.8', names: ['dns.example.com'], ports })
  expect(count(findings)).toBe(MAX_ENTITIES)
  const lines = outline(findings)
  expect(lines.filter((line) => line.startsWith('- port'))).toHaveLength(100)
  expect(lines.filter((line) => line.startsWith('- certificate'))).toHaveLength(100)
  expect(expand(findings.entities[0]!, provenance, ids())).toMatchObject({ ok: true })
  expect(count(factsOfAddress({ address: '10.0.0.1', names: [], ports }))).toBe(MAX_ENTITIES)
})

test('more than 1,000 facts that stand alone are 1,000', () => {
  const banner = { kind: 'ssh', text: 'SSH-2.0-x' } as const
  const ports = Array.from({ length: 100 }, (_, i): PortFound => ({ ...HTTPS, port: i + 1, banner }))
  const hosts = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map((address) => ({ address, names: [], ports }))
  const addresses = hosts.map(({ address }) => address)
  const findings = factsOfName('example.com', { ...nothing, addresses }, hosts)
  expect(outline(findings)[0]).toBe('domain example.com')
  expect(count(findings)).toBe(MAX_ENTITIES)
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('example.com', '*.a.com', '8.8.8.8', '127.0.0.1', '::1', '__proto__', '22/tcp'),
)
const anyTexts = fc.array(anyText, { maxLength: 5 })
const anyPort: fc.Arbitrary<PortFound> = fc.record(
  {
    port: fc.integer({ min: 1, max: 65_535 }),
    banner: fc.record({ kind: fc.constantFrom('ssh', 'greeting', 'http-server'), text: anyText }),
    certificate: fc.record({
      sha256: anyText,
      sha1: anyText,
      issuer: anyText,
      subject: anyText,
      names: anyTexts,
      validFrom: fc.option(anyText, { nil: undefined }),
      validTo: fc.constant(undefined),
    }),
  },
  { requiredKeys: ['port'] },
)
const anyHost = fc.record({ address: anyText, names: anyTexts, ports: fc.array(anyPort, { maxLength: 4 }) })
const anyName = fc.record({ addresses: anyTexts, mailServers: anyTexts, nameServers: anyTexts, texts: anyTexts })

test('whatever was found, every root can be submitted as it is', () => {
  fc.assert(
    fc.property(anyText, anyName, fc.array(anyHost, { maxLength: 3 }), (name, found, hosts) => {
      const all = hosts.map(({ address }) => address).concat(found.addresses)
      for (const findings of [factsOfName(name, { ...found, addresses: all }, hosts), ...hosts.map(factsOfAddress)]) {
        expect(count(findings)).toBeLessThanOrEqual(MAX_ENTITIES)
        for (const entity of findings.entities) {
          expect(expand(entity, provenance, ids())).toMatchObject({ ok: true })
          expect(Object.keys(entity).sort()).toEqual(['associations', 'attributes', 'type'])
        }
      }
    }),
  )
})

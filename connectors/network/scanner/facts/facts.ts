/** Which fact of a scan becomes which entity (ADR 114). Pure. */

import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import { detect } from '../../../../schemas/intelligence/ingest/detect.ts'
import { MAX_ENTITIES } from '../../../../schemas/intelligence/ingest/expand.ts'
import type {
  LinkMode,
  SubmittedAssociation,
  SubmittedEntity,
} from '../../../../schemas/intelligence/observations/observation.ts'
import type { ScanFindings } from '../port.ts'
import type { BannerFound, CertificateFound, HostFound, NameFound, PortFound } from './found.ts'

// A tree of facts as submissions: only valid values, within the bounds of a submission. Pure.

/**
 * An entity, its attributes, and the facts that belong to it. Attributes with an undefined or invalid value are left
 * out.
 */
type Fact = {
  type: string
  value: string
  attributes?: Record<string, string | undefined>
  parts?: FactPart[]
}
type FactPart = Fact & { mode: LinkMode }

type Root = SubmittedEntity & { associations: SubmittedAssociation[] }

/**
 * The fact as entities, at most `most` including their associations; when there are more, the deepest ones are left
 * out. A value that its type refuses is left out, and its parts become roots of their own after the fact itself.
 */
function submissions(fact: Fact, most: number): SubmittedEntity[] {
  const alone: Root[] = []
  const root = entity(fact, alone)
  const roots = root === null ? alone : [root, ...alone]
  return keepNearest(roots, most)
}

function entity({ type, value, attributes = {}, parts = [] }: Fact, alone: Root[]): Root | null {
  const normal = normalise(type, value)
  if (typeof normal !== 'string') {
    for (const part of parts) {
      const made = entity(part, alone)
      if (made !== null) alone.push(made)
    }
    return null
  }
  const associations = parts.flatMap((part): SubmittedAssociation[] => {
    const made = entity(part, alone)
    return made === null ? [] : [{ mode: part.mode, ...made }]
  })
  return { type, attributes: { ...valid(attributes), [type]: normal }, associations }
}

const valid = (attributes: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, given]) => {
      const normal = given === undefined ? null : normalise(name, given)
      return typeof normal === 'string' ? [[name, normal]] : []
    }),
  )

/** Level by level: entities nearer to the target are kept. */
function keepNearest(roots: Root[], most: number): SubmittedEntity[] {
  const kept = roots.slice(0, most)
  let room = most - kept.length
  let level: { associations?: SubmittedAssociation[] }[] = kept
  while (level.length > 0) {
    const next: SubmittedAssociation[] = []
    for (const one of level) {
      one.associations = (one.associations ?? []).slice(0, room)
      room -= one.associations.length
      next.push(...one.associations)
    }
    level = next
  }
  return kept
}

/** Facts about an address. */
export const factsOfAddress = (host: HostFound): ScanFindings => findings(addressFact(host, new Set()))

/** Facts about a name, and about those of its addresses that were probed. */
export function factsOfName(name: string, found: NameFound, probed: readonly HostFound[]): ScanFindings {
  const shown = new Set<string>()
  const byAddress = new Map(probed.map((host) => [host.address, host]))
  return findings({
    ...typedName(name),
    parts: [
      ...distinct(found.addresses).map((value): FactPart => {
        const host = byAddress.get(value) ?? { address: value, names: [], ports: [] }
        return { mode: 'association', ...addressFact(host, shown) }
      }),
      ...distinct(found.mailServers).map((server) => servicePart(server, 'mail server')),
      ...distinct(found.nameServers).map((server) => servicePart(server, 'name server')),
      ...distinct(found.texts).map((value): FactPart => ({ mode: 'aggregation', type: 'value', value })),
    ],
  })
}

const findings = (fact: Fact): ScanFindings => ({ entities: submissions(fact, MAX_ENTITIES) })

const distinct = (values: readonly string[]): string[] => [...new Set(values)]

/**
 * The registrable domain is a `domain`, a name below it a `hostname`, as everywhere. Text that is no name is refused
 * later.
 */
function typedName(name: string): { type: string; value: string } {
  const detected = detect(name)
  return { type: detected?.type === 'hostname' ? 'hostname' : 'domain', value: name }
}

const servicePart = (name: string, category: string): FactPart => ({
  mode: 'association',
  ...typedName(name),
  attributes: { category },
})

/** `shown`: certificates whose names were listed before; the names are the same everywhere. */
const addressFact = ({ address: value, names, ports }: HostFound, shown: Set<string>): Fact => ({
  type: 'ip',
  value,
  parts: [
    ...distinct(names).map((name): FactPart => ({ mode: 'association', ...typedName(name) })),
    ...ports.map(({ port }): FactPart => ({ mode: 'aggregation', type: 'port', value: tcp(port) })),
    ...ports.flatMap((found) => partsOfPort(found, shown)),
  ],
})

const tcp = (port: number): string => `${port}/tcp`

/**
 * Facts stand beside the port, not below it: a port is one entity for all addresses and would be associated with
 * every banner.
 */
function partsOfPort({ port, banner, certificate }: PortFound, shown: Set<string>): FactPart[] {
  const parts: FactPart[] = []
  if (banner !== undefined) parts.push(bannerPart(banner, port))
  if (certificate !== undefined) parts.push(certificatePart(certificate, port, shown))
  return parts
}

const bannerPart = ({ kind, text }: BannerFound, port: number): FactPart => ({
  mode: 'association',
  type: kind === 'ssh' ? 'ssh-banner' : 'value',
  value: text,
  attributes: { port: tcp(port), category: CATEGORIES[kind] },
})

const CATEGORIES: Record<BannerFound['kind'], string | undefined> = {
  ssh: undefined,
  greeting: 'greeting',
  'http-server': 'http server',
}

const hexadecimal = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()

function certificatePart(found: CertificateFound, port: number, shown: Set<string>): FactPart {
  const names = shown.has(found.sha256) ? [] : distinct(found.names)
  shown.add(found.sha256)
  return {
    mode: 'association',
    type: 'certificate-fingerprint',
    value: hexadecimal(found.sha256),
    attributes: {
      port: tcp(port),
      sha1: hexadecimal(found.sha1),
      issuer: found.issuer,
      value: found.subject,
      'date-of-issue': found.validFrom,
      'expiration-date': found.validTo,
    },
    parts: names.map((name): FactPart => ({ mode: 'association', ...typedName(name) })),
  }
}

import type { PlannedEntity } from './entities.ts'
import type { Group } from './groups.ts'

/** Reserved names that stand for what everybody uses, and a network of documentation addresses (RFC 5737) that covers. */
const KNOWN: readonly (readonly [string, string])[] = [
  ['domain', 'example.com'],
  ['domain', 'example.net'],
  ['domain', 'example.org'],
  ['domain', 'search.example'],
  ['domain', 'mail.example'],
  ['domain', 'updates.example'],
  ['domain', 'cdn.example'],
  ['domain', 'time.example'],
  ['hostname', 'www.example.com'],
  ['ip', '192.0.2.53'],
  ['ip', '2001:db8::53'],
  ['cidr', '203.0.113.0/24'],
]
/** Addresses of that network, some of which are blamed all the same. */
const COVERED = 8

const NETWORK = { asn: '64496', aso: 'Commons Resolver Example', country: 'Switzerland' }

/** What is marked as well known, and then what lies under a mark. */
export function wellKnownEntities(born: number): { marked: PlannedEntity[]; covered: PlannedEntity[] } {
  const group: Group = {
    theme: { nature: 'benign', tags: ['well-known'], kinds: [] },
    family: null,
    severity: 1,
    size: KNOWN.length + COVERED,
    born: () => born,
  }
  const plan = (type: string, value: string): PlannedEntity => {
    const attributes: Record<string, string> = type === 'ip' || type === 'cidr' ? { ...NETWORK } : {}
    return { type, value, attributes, tags: group.theme.tags, links: [], group }
  }
  return {
    marked: KNOWN.map(([type, value]) => plan(type, value)),
    covered: Array.from({ length: COVERED }, (_, i) => plan('ip', `203.0.113.${10 + i * 7}`)),
  }
}

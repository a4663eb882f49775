import type { LinkMode } from '../../../schemas/intelligence/observations/observation.ts'
import type { AddressBlock, addressSpace } from './corpus-networks.ts'
import { FILES, MIME_TYPES, PLACES } from './corpus-words.ts'
import type { Dice } from './dice.ts'
import type { Group } from './groups.ts'
import type { Mint } from './mint.ts'
import type { EntityKind } from './themes.ts'

/** One entity of the corpus. */
export type PlannedEntity = {
  type: string
  value: string
  attributes: Record<string, string>
  tags: readonly string[]
  /** To entities of the same group. */
  links: { mode: LinkMode; to: PlannedEntity }[]
  group: Group
}

export type Maker = {
  dice: Dice
  mint: Mint
  space: ReturnType<typeof addressSpace>
  /** AS numbers that are entities already. */
  systems: Set<string>
  /** How many of a type there are of which a group has one or two. */
  count: { cve: number; actor: number }
}

/** In this order, so that what is linked to is there. */
const ORDER: readonly EntityKind[] = [
  ...(['ip4', 'ip6', 'cidr', 'domain', 'hostname', 'email-address', 'url', 'sha256', 'sha1', 'md5', 'file'] as const),
  ...(['filename', 'ja3-fingerprint', 'certificate-fingerprint'] as const),
]
/** Kinds that stand under a domain. */
const UNDER: readonly EntityKind[] = ['hostname', 'email-address', 'url']

/** How many entities of each kind a group has, `size` in all. */
function kindCounts(group: Group, size: number, dice: Dice): Map<EntityKind, number> {
  const counts = new Map<EntityKind, number>()
  for (let i = 0; i < size; i++) {
    const kind = dice.weighted(group.theme.kinds)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  if (!counts.has('domain')) {
    // A kind that stands under a domain needs one.
    const orphan = UNDER.find((kind) => counts.has(kind))
    if (orphan !== undefined) {
      counts.set('domain', 1)
      counts.set(orphan, counts.get(orphan)! - 1)
    }
  }
  return counts
}

/** The entities of a group, each linked to earlier ones. */
export function entitiesOf(group: Group, maker: Maker): PlannedEntity[] {
  const { dice, mint, space } = maker
  const all: PlannedEntity[] = []
  const blocks: { block: AddressBlock; ips: PlannedEntity[]; room: number }[] = []
  const tags = group.family === null ? group.theme.tags : [...group.theme.tags, group.family.toLowerCase()]

  function add(type: string, value: string, attributes: Record<string, string> = {}): PlannedEntity {
    const planned: PlannedEntity = { type, value, attributes, tags, links: [], group }
    all.push(planned)
    return planned
  }
  const of = (type: string): PlannedEntity[] => all.filter((planned) => planned.type === type)
  /** Links to some of those of a type. */
  function link(from: PlannedEntity, to: readonly PlannedEntity[], most: number, mode: LinkMode = 'association'): void {
    for (let i = Math.min(most, to.length); i > 0; i--) {
      const other = dice.of(to)
      if (!from.links.some((known) => known.to === other)) from.links.push({ mode, to: other })
    }
  }

  function address(version: 'ipv4' | 'ipv6'): void {
    let last = blocks.findLast(({ room, block }) => room > 0 && block.cidr.includes(':') === (version === 'ipv6'))
    if (last === undefined) {
      last = { block: space[version](), ips: [], room: 8 + dice.below(50) }
      blocks.push(last)
    }
    last.room--
    last.ips.push(add('ip', last.block.address()!, { ...last.block.network }))
  }

  function network(i: number): void {
    const { block, ips } = blocks[i] ?? { block: space.ipv4(), ips: [] }
    link(add('cidr', block.cidr, { ...block.network }), ips, 6)
  }

  function make(kind: EntityKind, count: number): void {
    const [ips, domains, urls] = [of('ip'), of('domain'), of('url')]
    for (let i = 0; i < count; i++) {
      if (kind === 'ip4' || kind === 'ip6') address(kind === 'ip4' ? 'ipv4' : 'ipv6')
      else if (kind === 'cidr') network(i)
      else if (kind === 'domain') {
        const registrar = `${dice.of(PLACES)} Registrar Example`
        link(add('domain', mint.domain(group.theme.nature), { 'whois-registrar': registrar }), ips, 1 + dice.below(3))
      } else if (kind === 'hostname') {
        const domain = dice.of(domains)
        const host = add('hostname', mint.hostname(domain.value))
        link(host, [domain], 1, 'aggregation')
        link(host, ips, 1)
      } else if (kind === 'email-address') {
        const domain = dice.of(domains)
        link(add('email-address', mint.mailbox(domain.value)), [domain], 1, 'aggregation')
      } else if (kind === 'url') {
        const domain = dice.of(domains)
        link(add('url', mint.url(domain.value)), [domain], 1, 'aggregation')
      } else file(kind, ips, urls)
    }
  }

  function file(kind: EntityKind, ips: readonly PlannedEntity[], urls: readonly PlannedEntity[]): void {
    if (kind === 'filename') {
      link(add('filename', mint.filename()), of('sha256'), 2)
      return
    }
    const algorithm = kind === 'sha256' || kind === 'sha1' ? kind : kind === 'certificate-fingerprint' ? 'sha1' : 'md5'
    const family: Record<string, string> = group.family === null ? {} : { 'malware-family': group.family }
    const size = String(4_096 + dice.below(4_000_000))
    const about = { ...family, 'mime-type': dice.of(MIME_TYPES), 'size-in-bytes': size }
    const isFile = kind !== 'ja3-fingerprint' && kind !== 'certificate-fingerprint'
    const made = add(kind, mint.digest(algorithm), isFile ? about : {})
    if (!isFile) {
      link(made, ips, 2)
      return
    }
    if (kind === 'file') {
      made.attributes.filename = `${dice.of(FILES)}.bin`
      link(made, of('sha256'), 1, 'aggregation')
    }
    link(made, urls, 1 + dice.below(2))
    if (dice.chance(0.3)) link(made, ips, 2)
  }

  /** What a campaign is known by, as far as there is room. */
  function core(room: number): void {
    if (group.family === null || room < 1) return
    const malware = add('malware', group.family, { 'malware-type': group.theme.tags[0]! })
    link(malware, of('sha256'), 5)
    link(malware, of('domain'), 2)
    for (let i = dice.below(Math.min(3, room)); i > 0; i--) link(malware, [add('cve', mint.cve(maker.count.cve++))], 1)
    const system = blocks.find(({ block }) => !maker.systems.has(block.network.asn))
    if (system !== undefined && all.length < group.size && dice.chance(0.5)) {
      const { asn, aso, country } = system.block.network
      maker.systems.add(asn)
      link(add('asn', asn, { aso, country }), of('cidr'), 2)
    }
    if (all.length < group.size && dice.chance(0.4))
      link(add('adversary', mint.actor(maker.count.actor++)), [malware], 1)
  }

  const room = group.family === null ? 0 : Math.min(5, group.size >> 2)
  const counts = kindCounts(group, group.size - room, dice)
  for (const kind of ORDER) make(kind, counts.get(kind) ?? 0)
  core(room)
  return all
}

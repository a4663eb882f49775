import { parse } from 'csv-parse/sync'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'

/**
 * Readers of the formats, written from their manuals and as strict as the strictest device: what each takes from a
 * document, in order. A line that they do not know throws.
 */

type Reader = (bytes: Buffer) => string[]

/** Lines of a text, each of which must be ended. */
function linesOf(bytes: Buffer): string[] {
  const text = bytes.toString()
  if (text === '') return []
  if (!text.endsWith('\n')) throw new Error(`the last line is not ended: ${text.slice(-80)}`)
  // Readers end lines at other signs too, such as all that the splitlines of Python knows.
  return text.slice(0, -1).split(/\r\n|\p{Cc}|\p{Zl}|\p{Zp}/u)
}

/** The part of each line that a pattern names `value`. Lines that match none of the patterns throw. */
const matching =
  (...patterns: readonly RegExp[]): Reader =>
  (bytes) =>
    linesOf(bytes).flatMap((line) => {
      const match = patterns.map((pattern) => pattern.exec(line)).find((one) => one !== null)
      if (match === undefined) throw new Error(`no such line in the format: ${line}`)
      return match.groups?.value ?? []
    })

const ADDRESS = '(?<value>[0-9a-f.:]+(?:/[0-9]+)?)'
const NAME = '(?<value>[a-z0-9_-]+(?:\\.[a-z0-9_-]+)+)'
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`)

const addresses = matching(whole(ADDRESS))
const names = matching(whole(NAME))
const digests = (...digits: readonly number[]): Reader =>
  matching(...digits.map((count) => whole(`(?<value>[0-9a-f]{${count}})`)))

const SET = 'harrier-[0-9a-f]{16}-[46]'

/** The elements of all commands of a file for nft. */
const nft: Reader = (bytes) => {
  const text = bytes.toString()
  const command = /add element inet harrier \S+ \{\n([^{}]*)\n\}\n/g
  const rest = text.replaceAll(command, '')
  const known = new RegExp(
    `^(add table inet harrier|(add|flush) set inet harrier ${SET}( \\{ type ipv[46]_addr; flags interval; \\})?)$`,
  )
  for (const line of rest.split('\n').slice(0, -1)) if (!known.test(line)) throw new Error(`no command: ${line}`)
  return [...text.matchAll(command)].flatMap(([, list]) => list!.split(',').map((element) => element.trim()))
}

/** RFC 4180, then the `'` that keeps a cell from being a formula. */
const csv: Reader = (bytes) => {
  const rows = parse(bytes, { columns: true, record_delimiter: '\r\n' }) as { value: string }[]
  return rows.map(({ value }) => (/^'[\s']*[=+\-@]/.test(value) ? value.slice(1) : value))
}

const zeek: Reader = (bytes) => {
  const [head, ...lines] = bytes.toString().split('\n').slice(0, -1)
  if (head !== '#fields\tindicator\tindicator_type\tmeta.source\tmeta.desc') throw new Error(`no head: ${head}`)
  return lines.map((line) => {
    const fields = line.split('\t')
    if (fields.length !== 4 || line.startsWith('#') || fields[0] === '-') throw new Error(`no line of zeek: ${line}`)
    const text = Buffer.from(fields[0]!, 'utf8').toString('latin1')
    const bytesOf = text.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    return Buffer.from(bytesOf, 'latin1').toString()
  })
}

type Stix = {
  objects: {
    type: string
    id: string
    value?: string
    name?: string
    hashes?: Record<string, string>
    key?: string
    number?: number
    path?: string
    subject?: string
    account_login?: string
    relationship_type?: string
    source_ref?: string
  }[]
}

/** Objects that say nothing of what is in the list, or that only tell more of it. */
const BESIDE = ['marking-definition', 'identity', 'extension-definition', 'relationship', 'sighting', 'observed-data']

/** Each observable, each named thing, and each indicator that is based on none. */
const stix: Reader = (bytes) => {
  const { objects } = JSON.parse(bytes.toString()) as Stix
  const based = new Set(objects.map((one) => (one.relationship_type === 'based-on' ? one.source_ref : undefined)))
  return objects
    .filter(({ type, id }) => !BESIDE.includes(type) && !based.has(id))
    .map(({ value, name, hashes, key, number, path, subject, account_login }) =>
      String(value ?? path ?? subject ?? account_login ?? name ?? key ?? number ?? Object.values(hashes!)[0]),
    )
}

const misp: Reader = (bytes) =>
  (JSON.parse(bytes.toString()) as { Event: { Attribute: { value: string }[] } }).Event.Attribute.map(
    ({ value }) => value,
  )

const ndjson: Reader = (bytes) => linesOf(bytes).map((line) => (JSON.parse(line) as { value: string }).value)

/** A reader for each format that is text, by its name. */
export const READERS: Readonly<Record<string, Reader>> = {
  text: linesOf,
  csv,
  ndjson,
  'palo-ip': addresses,
  'fortinet-ip': addresses,
  pf: addresses,
  ipset: matching(
    new RegExp(`^create ${SET}n? hash:net family inet6? maxelem 10000000 -exist$`),
    new RegExp(`^(?:flush|destroy) ${SET}n$`),
    new RegExp(`^swap ${SET}n ${SET}$`),
    whole(`add ${SET}n ${ADDRESS} -exist`),
  ),
  nft,
  mikrotik: matching(
    /^:do \{ \/ip(?:v6)? firewall address-list remove \[find list="harrier-[0-9a-f]{16}"\] \} on-error=\{\}$/,
    whole(
      `:do \\{ /ip(?:v6)? firewall address-list add list="harrier-[0-9a-f]{16}" address=${ADDRESS} \\} on-error=\\{\\}`,
    ),
  ),
  'palo-domain': names,
  'fortinet-domain': names,
  hosts: matching(whole(`0\\.0\\.0\\.0 ${NAME}`)),
  dnsmasq: matching(whole(`local=/${NAME}/`)),
  unbound: matching(/^server:$/, whole(`  local-zone: "${NAME}\\." always_nxdomain`)),
  rpz: matching(
    /^\$TTL 60$/,
    /^\$ORIGIN rpz\.harrier\.$/,
    /^@ SOA localhost\. hostmaster\.rpz\.harrier\. \d{1,10} 300 60 2592000 60$/,
    /^@ NS localhost\.$/,
    whole(`${NAME} CNAME \\.`),
    /^\*\.[a-z0-9._-]+ CNAME \.$/,
  ),
  'palo-url': matching(/^(?<value>[a-z0-9[][\w.:[\]-]*\/[\w.~:/?[\]@!$&'()+,;=%-]*)$/),
  'fortinet-url': matching(/^(?<value>https?:\/\/[a-z0-9[][\w.:[\]-]*\/[\w.~:/?[\]@!$&'()+,;=%-]*)$/),
  'fortinet-hash': digests(32, 40, 64),
  'suricata-md5': digests(32),
  'suricata-sha256': digests(64),
  zeek,
  'suricata-iprep': matching(whole(`${ADDRESS},[12],(?:[0-9]|[1-9][0-9]|1[01][0-9]|12[0-6])`)),
  'suricata-dataset': (bytes) =>
    matching(/^(?<value>[A-Za-z0-9+/]+={0,2})$/)(bytes).map((line) => Buffer.from(line, 'base64').toString()),
  stix,
  misp,
}

/** A URL without a path asks for `/`. */
const asked = (url: string): string =>
  /^https?:\/\/[^/?]+[/]/.test(url) ? url : url.replace(/^(https?:\/\/[^/?]+)/, '$1/')

/** Of an address of six bytes, which STIX has an observable for. */
const MAC_LENGTH = 17

/** The value of an item as a format says it. */
export function saidAs(format: string, { type, value }: FeedItem): string {
  if (format === 'fortinet-url') return asked(value)
  if (format === 'palo-url' || (format === 'zeek' && type === 'url')) return asked(value).replace(/^https?:\/\//, '')
  if (format === 'stix' && type === 'mac-address' && value.length === MAC_LENGTH)
    return value.toLowerCase().replaceAll('-', ':')
  return value
}

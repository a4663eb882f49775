/** What each format is for, in a few words (docs/reference/feeds-out-formats.md). */
export const FORMAT_WORDS: Readonly<Record<string, string>> = {
  text: 'one value per line, for scripts and most devices',
  csv: 'spreadsheets and tables of a SIEM',
  ndjson: 'programs: one JSON object per line',
  parquet: 'data lakes',
  'palo-ip': 'Palo Alto, addresses',
  'fortinet-ip': 'FortiGate, addresses',
  pf: 'a table of pf, pfSense and OPNsense',
  ipset: 'ipset restore',
  nft: 'nftables, nft -f',
  mikrotik: 'RouterOS, /import',
  mmdb: 'readers of MaxMind DB: nginx, HAProxy, Vector',
  'palo-domain': 'Palo Alto, names',
  'fortinet-domain': 'FortiGate, names',
  hosts: '/etc/hosts, Pi-hole, AdGuard Home',
  dnsmasq: 'dnsmasq, conf-file',
  unbound: 'Unbound, include',
  rpz: 'a response policy zone: BIND, Knot, PowerDNS',
  'palo-url': 'Palo Alto, URLs',
  'fortinet-url': 'FortiGate, URLs',
  'fortinet-hash': 'FortiGate, malware hashes',
  'suricata-md5': 'Suricata, filemd5',
  'suricata-sha256': 'Suricata, filesha256',
  zeek: 'the Intel framework of Zeek',
  'suricata-iprep': 'Suricata, reputation files',
  'suricata-dataset': 'Suricata, a dataset',
  stix: 'STIX 2.1: OpenCTI and others',
  misp: 'MISP',
}

/** A format as the platform tells it. `readBy` null: unverified. */
type Format = { name: string; readBy: string | null }

/** The line of a format in a list of them. */
export const labelOf = ({ name, readBy }: Format): string =>
  `${name} – ${FORMAT_WORDS[name] ?? name}${readBy === null ? ' (unverified)' : ''}`

/** Who but Harrier reads the format in its tests. */
export const verifiedBy = ({ readBy }: Pick<Format, 'readBy'>): string =>
  readBy === null
    ? 'Unverified: the tests of Harrier read this format with a reader of their own, and with no program of others. Try it on your device first.'
    : `The tests of Harrier read this format with ${readBy}.`

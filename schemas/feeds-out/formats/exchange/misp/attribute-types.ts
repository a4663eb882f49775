/** How MISP says a type of entity: its own type, and the category that goes with it. */
export type MispType = { type: string; category: string }

const network = (type: string): MispType => ({ type, category: 'Network activity' })
const payload = (type: string): MispType => ({ type, category: 'Payload delivery' })
const antivirus = (type: string): MispType => ({ type, category: 'Antivirus detection' })

/**
 * Types of entity that MISP has an attribute for: those that the import reads back as the same type. Composite types
 * (`domain|ip`) are left out, as an item is one value.
 */
export const MISP_TYPES: Readonly<Record<string, MispType>> = {
  ip: network('ip-dst'),
  cidr: network('ip-dst'),
  domain: network('domain'),
  hostname: network('hostname'),
  url: network('url'),
  asn: network('AS'),
  'mac-address': network('mac-address'),
  'ja3-fingerprint': network('ja3-fingerprint-md5'),
  'jarm-fingerprint': network('jarm-fingerprint'),
  'email-address': payload('email-src'),
  'email-subject': payload('email-subject'),
  filename: payload('filename'),
  md5: payload('md5'),
  sha1: payload('sha1'),
  sha224: payload('sha224'),
  sha256: payload('sha256'),
  sha384: payload('sha384'),
  sha512: payload('sha512'),
  'sha3-224': payload('sha3-224'),
  'sha3-256': payload('sha3-256'),
  'sha3-384': payload('sha3-384'),
  'sha3-512': payload('sha3-512'),
  'sha512-224': payload('sha512/224'),
  'sha512-256': payload('sha512/256'),
  authentihash: payload('authentihash'),
  cdhash: payload('cdhash'),
  link: antivirus('link'),
  regkey: { type: 'regkey', category: 'Persistence mechanism' },
  cve: { type: 'vulnerability', category: 'External analysis' },
  btc: { type: 'btc', category: 'Financial fraud' },
  dash: { type: 'dash', category: 'Financial fraud' },
  xmr: { type: 'xmr', category: 'Financial fraud' },
  iban: { type: 'iban', category: 'Financial fraud' },
  bic: { type: 'bic', category: 'Financial fraud' },
}

/** How MISP says a type of entity: its own type, and the category that goes with it. */
export type MispType = { type: string; category: string }

const network = (type: string): MispType => ({ type, category: 'Network activity' })
const payload = (type: string): MispType => ({ type, category: 'Payload delivery' })
const antivirus = (type: string): MispType => ({ type, category: 'Antivirus detection' })
const fraud = (type: string): MispType => ({ type, category: 'Financial fraud' })
const attribution = (type: string): MispType => ({ type, category: 'Attribution' })
const dropped = (type: string): MispType => ({ type, category: 'Artifacts dropped' })
const installation = (type: string): MispType => ({ type, category: 'Payload installation' })
const person = (type: string): MispType => ({ type, category: 'Person' })

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
  btc: fraud('btc'),
  dash: fraud('dash'),
  xmr: fraud('xmr'),
  iban: fraud('iban'),
  bic: fraud('bic'),
  bin: fraud('bin'),
  'cc-number': fraud('cc-number'),
  prtn: fraud('prtn'),
  'aba-rtn': fraud('aba-rtn'),
  'bank-account-nr': fraud('bank-account-nr'),
  'email-display-name': payload('email-src-display-name'),
  'email-x-mailer': payload('email-x-mailer'),
  'email-mime-boundary': payload('email-mime-boundary'),
  'email-thread-index': payload('email-thread-index'),
  email: payload('email-message-id'),
  'chrome-extension-id': payload('chrome-extension-id'),
  'mobile-app-id': payload('mobile-application-id'),
  'malware-type': payload('malware-type'),
  'filename-pattern': installation('filename-pattern'),
  'pattern-in-file': installation('pattern-in-file'),
  'pattern-in-memory': installation('pattern-in-memory'),
  'pattern-in-traffic': network('pattern-in-traffic'),
  'ssh-fingerprint': network('ssh-fingerprint'),
  dkim: network('dkim'),
  'dkim-signature': network('dkim-signature'),
  eppn: network('eppn'),
  cookie: network('cookie'),
  cpe: { type: 'cpe', category: 'External analysis' },
  'pgp-public-key': person('pgp-public-key'),
  'pgp-private-key': person('pgp-private-key'),
  phone: person('phone-number'),
  'whois-registrant': attribution('whois-registrant-name'),
  'whois-registrar': attribution('whois-registrar'),
  adversary: attribution('threat-actor'),
  threat: attribution('campaign-name'),
  username: { type: 'target-user', category: 'Targeting data' },
  'jabber-id': { type: 'jabber-id', category: 'Social network' },
  'windows-scheduled-task': dropped('windows-scheduled-task'),
  'windows-service-name': dropped('windows-service-name'),
  'windows-service-displayname': dropped('windows-service-displayname'),
}

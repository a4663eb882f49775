import { isStoredForm } from '../../../intelligence/entities/earlier-forms.ts'
import type { FeedFacts, FeedFormat, FeedItem } from '../format.ts'
import { instant } from '../text/instant.ts'
import { json, jsonText } from '../text/json.ts'
import { streamed } from '../writer.ts'
import { OURS, uuids } from './uuid.ts'

/** How MISP says a type of entity: its own type, and the category that goes with it. */
type MispType = { type: string; category: string }

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

const TYPES = Object.keys(MISP_TYPES)
/** Of attributes: what holds for the event. */
const INHERITED = '5'
const ALL_COMMUNITIES = '3'
const OWN_ORGANISATION = '0'
/** Neither a level of threat nor a state of analysis is known. */
const UNDEFINED = '4'
const INITIAL = '0'

const ourId = uuids(OURS)

const seconds = (ms: number): string => String(Math.floor(ms / 1000))

function attributeLine(facts: FeedFacts, item: FeedItem): string {
  const { type, category } = MISP_TYPES[item.type]!
  const tags = item.tags.map((name) => `{"name":${jsonText(name)}}`)
  return (
    `{"uuid":"${ourId(`${facts.id} ${item.entityId}`)}","type":"${type}","category":"${category}"` +
    `,"value":${jsonText(item.value)},"to_ids":${item.reputation < 0},"distribution":"${INHERITED}"` +
    `,"comment":"reputation ${item.reputation}, accuracy ${item.accuracy}","timestamp":"${seconds(item.lastSeen)}"` +
    `,"first_seen":"${instant(item.firstSeen)}","last_seen":"${instant(Math.max(item.firstSeen, item.lastSeen))}"` +
    `,"Tag":[${tags.join(',')}]}`
  )
}

/**
 * One MISP event with an attribute for each item (decisions 15.4). Its time is that of the item that was seen last: the
 * same list is the same event, to the byte. What is not in the normal form of its type is left out: MISP refuses it.
 */
export const misp: FeedFormat = {
  name: 'misp',
  mediaType: 'application/json',
  extension: 'json',
  readBy: 'PyMISP',
  types: TYPES,
  write: streamed(TYPES, (facts) => {
    let last = 0
    let before = ''
    const event = {
      uuid: ourId(facts.id),
      info: facts.name,
      threat_level_id: UNDEFINED,
      analysis: INITIAL,
      distribution: facts.isPublic ? ALL_COMMUNITIES : OWN_ORGANISATION,
      published: false,
      Tag: [{ name: facts.isPublic ? 'tlp:clear' : 'tlp:amber' }],
    }
    return {
      // The list of attributes is the last but one, and the times, which only the end knows, come after it.
      begin: `{"Event":${json(event).slice(0, -1)},"Attribute":[`,
      say: (item) => {
        if (!isStoredForm(item.type, item.value)) return null
        last = Math.max(last, item.lastSeen)
        const line = `${before}\n${attributeLine(facts, item)}`
        before = ','
        return line
      },
      end: () => `\n],"date":"${instant(last).slice(0, 10)}","timestamp":"${seconds(last)}"}}\n`,
    }
  }),
}

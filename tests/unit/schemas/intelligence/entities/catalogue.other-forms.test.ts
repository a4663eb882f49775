import { expect, test } from 'vitest'
import { CATALOGUE_TYPE } from '../../../../../connectors/feeds/parse/misp/attribute-types.ts'
import { NAMED } from '../../../../../schemas/exchange/stix/forms/named.ts'
import { OBSERVABLES } from '../../../../../schemas/exchange/stix/forms/observables.ts'
import { IN_PATTERNS } from '../../../../../schemas/exchange/stix/indicator.ts'
import { MISP_TYPES } from '../../../../../schemas/feeds-out/formats/exchange/misp.ts'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'

/** Each type of the catalogue has a form in STIX and in MISP, or stands here with the reason why it has none. */

const words = (text: string): string[] => text.trim().split(/\s+/)

/** What describes something else, and is no indicator by itself. */
const FACTS = words(`
  os port zip-code postal-address breach breach-date breach-count breach-description last-analysis aso malware-family
  latitude longitude accuracy-radius country text value issuer password airport-name profile-photo city
  issuing-country email-header size-in-bytes flight datetime date date-of-issue expiration-date hex base64 id-number
  process-state category`)
/** Accounts and papers of persons. */
const OF_PERSONS = words(`
  facebook-profile ffn github-organization github-repository github-user passport pnr redress-number ssr
  tiktok-profile twitter-profile visa`)

/** Written as an indicator whose pattern compares the extension: the standard has no property for them. */
const NO_STIX_FORM = [
  ...FACTS,
  ...OF_PERSONS,
  ...words(`
    malware-type aba-rtn cookie authentihash bank-account-nr bic bin btc cc-number cdhash chrome-extension-id dash
    dkim dkim-signature email-mime-boundary email-thread-index email-x-mailer eppn iban ja3-fingerprint jabber-id
    jarm-fingerprint ssh-banner mobile-app-id pattern-in-file pattern-in-memory pattern-in-traffic pgp-private-key
    pgp-public-key phone prtn ssh-fingerprint whois-registrant whois-registrar windows-scheduled-task xmr`),
]

/** Left out of an event: MISP has no type of attribute for a value of theirs alone, or none that is read back as theirs. */
const NO_MISP_TYPE = [
  ...FACTS,
  ...OF_PERSONS,
  ...words(`
    command file file-data malware malware-sample certificate-fingerprint email-body group ssh-banner mime-type path
    process payload`),
]

const types = definitions().map(({ type }) => type)

test('each type has an observable, an object or a pattern of STIX, or a reason', () => {
  const without = types.filter((type) => !(type in OBSERVABLES) && !(type in NAMED) && !IN_PATTERNS.includes(type))
  expect(without.sort()).toEqual([...NO_STIX_FORM].sort())
})

test('each type has an attribute of MISP, or a reason', () => {
  expect(types.filter((type) => !(type in MISP_TYPES)).sort()).toEqual([...NO_MISP_TYPE].sort())
})

test('what leaves for MISP comes back as the same type', () => {
  const read = new Set(CATALOGUE_TYPE.values())
  // An `ip-dst` with a prefix is a network by its form.
  expect(Object.keys(MISP_TYPES).filter((type) => !read.has(type))).toEqual(['cidr'])
})

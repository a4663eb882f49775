import { definitions, typesWhere } from '../entities/catalogue.ts'
import { DATATYPES, type DataType } from '../entities/datatypes/table.ts'
import { earlierForm } from '../entities/earlier-forms.ts'
import { entityOf } from '../entities/named.ts'
import { normalise } from '../entities/normalise.ts'

/**
 * Datatypes whose normal form may be neither the trimmed text nor its lower case, which the first two give. Digests, for
 * one, are lower-cased.
 */
const OWN_FORMS: readonly DataType[] = [
  ...(['String', 'Case-sensitive string', 'IP', 'CIDR', 'FQDN', 'URL', 'Email', 'MAC', 'UUID', 'Hexadecimal'] as const),
  ...(['Phone', 'Country', 'City', 'BASE64', 'Date', 'Datetime', 'Integer', 'Float'] as const),
]
const READ = typeOfEach(OWN_FORMS)
const [MIME] = typeOfEach(['MIME type'])

function typeOfEach(datatypes: readonly DataType[]): string[] {
  return datatypes.flatMap((name) => definitions().find(({ dataType }) => dataType === name)?.type ?? [])
}

/**
 * The texts under which an entity of any type may stand that somebody names by this one: the text itself, trimmed, and its
 * normal form by every datatype that it has one in, also as it was before (decisions 10.3, ADR 258).
 */
export function valueForms(given: string): ReadonlySet<string> {
  const text = given.trim()
  const forms = new Set([text])
  for (const type of READ) {
    const form = normalise(type, text)
    if (typeof form !== 'string') continue
    forms.add(form)
    forms.add(entityOf(type, form).value)
    const earlier = earlierForm(type, form)
    if (earlier !== null) forms.add(earlier)
  }
  // Reading a media type takes as long as all others together, and no URL is one.
  if (MIME !== undefined && text.includes('/') && !text.includes('://')) {
    const form = normalise(MIME, text)
    if (typeof form === 'string') forms.add(form)
  }
  return forms
}

/** Datatypes whose normal forms have no capitals. */
const LOWER: readonly DataType[] = [
  ...(['String', 'IP', 'CIDR', 'FQDN', 'Email', 'Path', 'UUID', 'UUID|MD5|SHA3-256', 'Hexadecimal'] as const),
  ...(['MIME type', 'Port', 'Boolean'] as const),
]
const lowerTypes = definitions()
  .filter(({ dataType }) => LOWER.includes(dataType) || DATATYPES[dataType].digits.length > 0)
  .map(({ type }) => type)
const upperTypes = definitions()
  .filter(({ dataType }) => dataType === 'MAC')
  .map(({ type }) => type)
const urlTypes = typesWhere(({ covered }) => covered === 'url')
const others = definitions()
  .map(({ type }) => type)
  .filter((type) => ![lowerTypes, upperTypes, urlTypes].some((types) => types.includes(type)))

/** Scheme, user and the rest of the authority, and what follows it. */
const URL_START = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*@)?([^/?#\\]*)/i
const urlPrefix = (text: string): string =>
  text.replace(
    URL_START,
    (_, scheme: string, user = '', host: string) => scheme.toLowerCase() + user + host.toLowerCase(),
  )

/** The beginning of a value, in the letters that values of these types have; null: of all types. */
export type PrefixForm = { text: string; types: ReadonlySet<string> | null }

/**
 * A beginning as the normal form of each type writes it: in lower case where values have no capitals, of a URL the scheme
 * and the host, in capitals for MAC addresses, otherwise as it is given.
 */
export function prefixForms(text: string): readonly PrefixForm[] {
  const byText = new Map<string, string[]>()
  const spelled: readonly [string, readonly string[]][] = [
    [text, others],
    [text.toLowerCase(), lowerTypes],
    [urlPrefix(text), urlTypes],
    [text.toUpperCase(), upperTypes],
  ]
  for (const [form, types] of spelled) byText.set(form, (byText.get(form) ?? []).concat(types))
  return Array.from(byText, ([form, types]) => ({ text: form, types: byText.size === 1 ? null : new Set(types) }))
}

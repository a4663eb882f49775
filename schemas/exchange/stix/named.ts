import { instant } from '../../feeds-out/formats/text/instant.ts'
import { jsonText } from '../../feeds-out/formats/text/json.ts'
import { CVE_ID, MALWARE_TYPES, type NamedForm } from './forms/named.ts'
import { claimId } from './ids.ts'
import type { StixFacts, StixItem, StixObject, StixVersion } from './item.ts'
import { extensionOf } from './members/extension.ts'
import type { Moments } from './members/moments.ts'
import { objectLine } from './members/object-line.ts'
import { rightsOf, versionOf } from './members/versioned.ts'

/** What STIX has to be told of some kinds, or has a better place for than the extension. */
const PARTICULARS: Readonly<Record<string, (item: StixItem) => string>> = {
  malware: ({ value, attributes = {} }) => {
    const type = attributes['malware-type'] ?? ''
    const types = MALWARE_TYPES.has(type) ? `,"malware_types":["${type}"]` : ''
    return `,"is_family":${attributes['malware-family'] === value}${types}`
  },
  cve: ({ value }) =>
    CVE_ID.test(value) ? `,"external_references":[{"source_name":"cve","external_id":"${value.toUpperCase()}"}]` : '',
}

/** The object of a thing that has a name: malware, an actor, a campaign, a vulnerability. */
export function namedObject(
  facts: StixFacts,
  item: StixItem,
  version: StixVersion,
  { object, isSeen }: NamedForm,
  { first, last }: Moments,
): StixObject {
  const id = claimId(facts, item.entityId, version.life, object)
  const seen = isSeen ? `,"first_seen":"${instant(first)}","last_seen":"${instant(last)}"` : ''
  const members =
    `${versionOf(first, version)},"name":${jsonText(item.value)}${PARTICULARS[item.type]?.(item) ?? ''}${seen}` +
    `${rightsOf(facts, item)}${extensionOf(item, `,"reputation":${item.reputation}`)}`
  return { id, type: object, json: objectLine(object, id, members) }
}

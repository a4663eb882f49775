import { type Detected, detect } from '../../../../schemas/intelligence/ingest/detect.ts'
import { addressOrBlock, isUsable } from '../entity.ts'
import { CATALOGUE_TYPE, KEPT_AS_VALUE, NO_INDICATOR } from './attribute-types.ts'
import { composite, portText } from './composite.ts'
import type { Mapped, Unmapped } from './mapped.ts'

/**
 * The catalogue's form of one MISP attribute.
 * @param isExact whether the type is that of the entity, and not what the producer calls it
 */
export function mapAttribute(type: string, value: string, isExact = false): Mapped | Unmapped {
  const text = value.trim()
  if (text === '') return { reason: 'the value is empty' }
  const refused = NO_INDICATOR.get(type)
  if (refused !== undefined) return { reason: refused }
  if (KEPT_AS_VALUE.has(type)) return { type: 'value', value: text, attributes: { category: type }, beside: [] }
  if (type === 'malware-sample') return composite('filename|md5', text, mapAttribute)
  if (type.includes('|')) return composite(type, text, mapAttribute)
  const typeAndValueOf = simple(type, text, isExact)
  return typeAndValueOf === undefined
    ? { reason: `the catalogue has no type for MISP type "${type}"` }
    : { ...typeAndValueOf, attributes: { ...typeAndValueOf.attributes }, beside: [] }
}

function simple(type: string, text: string, isExact: boolean): Detected | undefined {
  const catalogueType = CATALOGUE_TYPE.get(type)
  switch (catalogueType) {
    case undefined:
      return undefined
    case 'ip':
      return isExact && text.includes('/') ? { type: 'cidr', value: text } : address(text)
    case 'domain':
    case 'hostname':
    case 'url':
      // A producer's "domain" is often a host below one, its "uri" a bare path: the value decides.
      return (isExact ? null : detect(text)) ?? { type: catalogueType, value: text }
    case 'asn':
      return { type: 'asn', value: text.replace(/^as\s*/i, '') }
    case 'port':
      return { type: 'port', value: portText(text) }
    default:
      return { type: catalogueType, value: text }
  }
}

/** An address or a block; also defanged, in brackets or with a port, as producers write it. */
function address(text: string): Detected {
  const plain = addressOrBlock(text)
  if (isUsable(plain)) return plain
  const found = detect(text)
  return found?.type === 'ip' || found?.type === 'cidr' ? found : plain
}

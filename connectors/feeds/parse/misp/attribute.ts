import type { Detected } from '../../../../schemas/intelligence/ingest/detect.ts'
import { addressOrBlock, type Named, recognise } from '../entity.ts'
import { CATALOGUE_TYPE, KEPT_AS_VALUE, NO_INDICATOR } from './attribute-types.ts'

/** An attribute in the words of the catalogue: its main value, what describes it and what it stands beside. */
export type Mapped = Named & { attributes: Record<string, string>; beside: Named[] }

export type Unmapped = { reason: string }

/**
 * The catalogue's form of one MISP attribute. A composite (`domain|ip`, `ip-dst|port`, `filename|sha256`) is one main
 * value with the other half as attribute or associated entity; of a file name and a digest the digest is the main one.
 * @param isExact whether the type is that of the entity, and not what the producer calls it
 */
export function mapAttribute(type: string, value: string, isExact = false): Mapped | Unmapped {
  const text = value.trim()
  if (text === '') return { reason: 'the value is empty' }
  const refused = NO_INDICATOR.get(type)
  if (refused !== undefined) return { reason: refused }
  if (KEPT_AS_VALUE.has(type)) return { type: 'value', value: text, attributes: { category: type }, beside: [] }
  if (type === 'malware-sample') return composite('filename|md5', text)
  if (type.includes('|')) return composite(type, text)
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
      return isExact && text.includes('/') ? { type: 'cidr', value: text } : addressOrBlock(text)
    case 'domain':
    case 'hostname':
    case 'url':
      // A producer's "domain" is often a host below one, its "uri" a bare path: the value decides.
      return (isExact ? null : recognise(text)) ?? { type: catalogueType, value: text }
    case 'asn':
      return { type: 'asn', value: text.replace(/^as\s*/i, '') }
    case 'port':
      return { type: 'port', value: portText(text) }
    default:
      return { type: catalogueType, value: text }
  }
}

function composite(type: string, text: string): Mapped | Unmapped {
  const bar = type.indexOf('|')
  const left = type.slice(0, bar)
  const right = type.slice(bar + 1)
  // A file name may contain a bar itself; a digest, an address or a port never does.
  const at = text.lastIndexOf('|')
  if (at === -1) return { reason: `the value of "${type}" lacks its second part` }
  const first = mapAttribute(left, text.slice(0, at))
  if ('reason' in first) return first
  if (right === 'port') return { ...first, attributes: { ...first.attributes, port: portText(text.slice(at + 1)) } }
  if (left === 'regkey') return { ...first, attributes: { value: text.slice(at + 1) } }
  const second = mapAttribute(right, text.slice(at + 1))
  if ('reason' in second) return second
  if (left === 'filename') {
    return { ...second, attributes: { ...second.attributes, filename: first.value }, beside: [named(first)] }
  }
  return { ...first, beside: [named(second)] }
}

const named = ({ type, value }: Named): Named => ({ type, value })

/** MISP states no transport; TCP is what its producers mean. */
const portText = (text: string): string => (text.includes('/') ? text : `${text.trim()}/tcp`)

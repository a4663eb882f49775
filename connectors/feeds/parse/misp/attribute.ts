import { type Detected, detect } from '../../../../schemas/intelligence/ingest/detect.ts'
import { addressOrBlock, isUsable, type Named } from '../entity.ts'
import { CATALOGUE_TYPE, KEPT_AS_VALUE, NO_INDICATOR } from './attribute-types.ts'
import type { Mapped, Unmapped } from './mapped.ts'

type Read = (type: string, value: string) => Mapped | Unmapped

/**
 * The catalogue's form of a composite attribute (`domain|ip`, `ip-dst|port`, `filename|sha256`): one main value with the
 * other half as attribute or associated entity; of a file name and a digest the digest is the main one. A half that cannot
 * be read is left out and told by `lost`, where the other one alone is an indicator of the same thing: a file name without
 * its digest is none.
 * @param read one half
 */
function composite(type: string, text: string, read: Read): Mapped | Unmapped {
  const [left, right] = type.split('|') as [string, string]
  // A file name may contain a bar, and a digest never does. What stands in a registry key may, and its name does not.
  const at = left === 'filename' ? text.lastIndexOf('|') : text.indexOf('|')
  if (at === -1) return single(type, text, read)
  const first = read(left, text.slice(0, at))
  const half = text.slice(at + 1).trim()
  if (left === 'filename') return ofFile(first, read(right, half))
  if (right === 'port' || left === 'regkey') {
    if (!isRead(first)) return first
    const [name, value] = right === 'port' ? ['port', portText(half)] : ['value', half]
    if (isUsable({ type: name, value })) return { ...first, attributes: { ...first.attributes, [name]: value } }
    return without(first, `the ${right} "${half}" is not usable`)
  }
  const second = read(right, half)
  if (!isRead(first)) return isRead(second) ? without(second, `the ${left} is not usable`) : first
  return isRead(second) ? { ...first, beside: [named(second)] } : without(first, `the ${right} "${half}" is not usable`)
}

function ofFile(name: Mapped | Unmapped, digest: Mapped | Unmapped): Mapped | Unmapped {
  if ('reason' in digest) return digest
  if (!isRead(name)) return without(digest, 'the file name is not usable')
  return { ...digest, attributes: { ...digest.attributes, filename: name.value }, beside: [named(name)] }
}

/** One half alone: the digest of a file, or what stands first. */
function single(type: string, text: string, read: Read): Mapped | Unmapped {
  const [left, right] = type.split('|') as [string, string]
  const reason = `the value of "${type}" lacks its ${left === 'filename' ? 'file name or its digest' : 'second part'}`
  const only = read(left === 'filename' ? right : left, text)
  // `ip-dst|port` with a colon between them has both.
  if (isRead(only) && right === 'port' && only.attributes.port !== undefined) return only
  return isRead(only) && only.type !== 'value' ? without(only, reason) : { reason }
}

const isRead = (half: Mapped | Unmapped): half is Mapped => !('reason' in half) && isUsable(half)

const named = ({ type, value }: Named): Named => ({ type, value })

const without = (half: Mapped, lost: string): Mapped => ({ ...half, lost })

const PORT = /^(?:(tcp|udp)[\s/:|-]*)?(\d{1,5})(?:[\s/:|-]*(tcp|udp))?$/i

/** MISP states no transport; TCP is what its producers mean where they do not write one before or behind the number. */
function portText(text: string): string {
  const [, before, number, behind] = PORT.exec(text.trim()) ?? []
  if (number === undefined || (before !== undefined && behind !== undefined)) return text
  return `${Number(number)}/${(before ?? behind ?? 'tcp').toLowerCase()}`
}

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

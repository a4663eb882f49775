import { describe } from '../../../schemas/intelligence/ingest/attributes.ts'
import type { SubmittedEntity } from '../../../schemas/intelligence/observations/observation.ts'
import { isUsable } from './entity.ts'
import { type FeedItem, type RejectedItem, rejected } from './item.ts'

/**
 * An item as it can be published, and behind it what of it cannot: an attribute or a relation that is none of its type would
 * have the whole item refused (ADR 256). An item whose main value is the fault stays as it is, and is refused by ingest.
 */
export function* usableParts(item: FeedItem): Generator<FeedItem> {
  if (!('entity' in item)) {
    yield item
    return
  }
  const { entity, lost } = withoutOddParts(item.entity)
  yield lost.length === 0 ? item : { ...item, entity }
  const { line, object } = item
  for (const part of lost) yield { ...part, line, ...(object === undefined ? {} : { object }) }
}

/** An entity without the attributes and relations that ingest would refuse it for, and these. */
export function withoutOddParts(entity: SubmittedEntity): { entity: SubmittedEntity; lost: RejectedItem[] } {
  const lost: RejectedItem[] = []
  const { type, attributes, associations = [] } = entity
  const main = attributes[type]
  const isWhole = describe(type, attributes, '').ok && associations.every(isSound)
  if (isWhole || main === undefined || !describe(type, { [type]: main }, '').ok) return { entity, lost }
  const lose = (name: string, value: unknown): void => {
    const reason = `${name} is not usable: it is left out, and the rest is imported`
    lost.push({ ...rejected(0, reason, `${name} ${value} of ${type} ${main}`), part: { type, property: name } })
  }
  const kept = Object.entries(attributes).filter(([name, value]) => {
    const isSound = name === type || describe(name, { [name]: value }, '').ok
    if (!isSound) lose(name, value)
    return isSound
  })
  const links = associations.filter((link) => {
    if (isSound(link)) return true
    lose(`relation to ${link.type}`, link.attributes[link.type])
    return false
  })
  const { associations: _, ...rest } = entity
  const clean = { ...rest, attributes: Object.fromEntries(kept) }
  return { entity: links.length === 0 ? clean : { ...clean, associations: links }, lost }
}

const isSound = ({ type, attributes }: { type: string; attributes: SubmittedEntity['attributes'] }): boolean =>
  isUsable({ type, value: String(attributes[type]) })

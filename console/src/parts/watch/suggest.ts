/** What may be watched of what is on the screen. */

import type { IndicatorKind } from '../indicators/kinds.ts'
import type { ItemKind } from './watchlists.ts'

/** A choice of the dialog: an item, and a sentence that says what it takes. */
export type Suggestion = { kind: ItemKind; value: string; label: string }

/** Of the tags of an entity: more are typed on the page of the watchlists. */
const MOST_TAGS = 20
const LONG = 80

const clip = (text: string): string => (text.length > LONG ? `${text.slice(0, LONG)}…` : text)

const tagged = (tag: string): Suggestion => ({ kind: 'tag', value: tag, label: `Everything with the tag ${clip(tag)}` })
const inside = (network: string): Suggestion => ({
  kind: 'cidr',
  value: network,
  label: `Everything inside ${clip(network)}`,
})
const below = (name: string): Suggestion => ({
  kind: 'suffix',
  value: name,
  label: `${clip(name)} and all names below it`,
})

/** Of an entity: itself first, except for a network, which is mostly watched for what is in it. */
export function ofEntity(entity: { id: string; type: string; value: string; tags: readonly string[] }): Suggestion[] {
  const { id, type, value, tags } = entity
  return [
    ...(type === 'cidr' ? [inside(value)] : []),
    { kind: 'entity', value: id, label: `This ${type}` },
    ...(type === 'domain' || type === 'hostname' ? [below(value)] : []),
    ...tags.slice(0, MOST_TAGS).map(tagged),
  ]
}

/** Of a searched text of some kind. */
export function ofSearch(kind: IndicatorKind, value: string): Suggestion[] {
  const exact: Suggestion = { kind: 'value', value, label: `Entities with the value ${clip(value)}` }
  if (kind === 'id') return [{ kind: 'entity', value, label: 'The entity with this id' }]
  if (kind === 'cidr') return [inside(value), exact]
  if (kind === 'domain') return [below(value), exact]
  if (kind === 'text') return [tagged(value), exact]
  return [exact]
}

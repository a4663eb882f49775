import type { FeedItem } from '../../../connectors/feeds/parse/item.ts'
import { stixBundle as readBundle } from '../../../connectors/feeds/parse/stix/bundle.ts'
import { stixBundle } from '../../../schemas/exchange/stix/bundle.ts'
import type { StixItem, StixVersion } from '../../../schemas/exchange/stix/item.ts'
import { objectsOf } from '../../../schemas/exchange/stix/objects.ts'
import { describe } from '../../../schemas/intelligence/ingest/attributes.ts'
import { FACTS } from './list-items.ts'

/** What came back of an entity: all that the import would submit of it, put together. */
export type ReadBack = {
  type: string
  value: string
  attributes: Record<string, string>
  isClaimed: boolean
  tags: string[]
  confidence: number
}

export const FIRST: StixVersion = { modified: FACTS.updatedAt, life: 0, validUntil: null, revoked: false }

/** A document of STIX that says these items. */
export function bundleOf(items: readonly StixItem[], version = FIRST): string {
  const { begin, add, end } = stixBundle(FACTS, 'test')
  return begin + items.map((item) => add(objectsOf(FACTS, item, version))).join('') + end
}

/** What is to come back of an item. */
export const expectedOf = ({ type, value, attributes = {}, reputation, accuracy, tags }: StixItem): ReadBack => ({
  type,
  value,
  attributes: { ...attributes },
  isClaimed: reputation < 0,
  tags: [...tags].sort(),
  confidence: [0, 15, 50, 85][accuracy]!,
})

/**
 * The entities that the import reads in a document, each once.
 * @throws Error for a place that the import refuses, and for a relation between entities
 */
export function readBack(document: string): ReadBack[] {
  const found = new Map<string, ReadBack>()
  for (const item of readBundle(JSON.parse(document), { reputation: -3, tags: [] })) add(found, item)
  return [...found.values()].map((one) => ({ ...one, tags: [...new Set(one.tags)].sort() }))
}

function add(found: Map<string, ReadBack>, item: FeedItem): void {
  if ('rejected' in item) throw new Error(`refused: ${item.rejected} in ${item.raw}`)
  if ('withdrawn' in item) throw new Error(`withdrawn: ${item.withdrawn.id}`)
  const { attributes: given, reputation, tags = [], associations } = item.entity
  if (associations !== undefined) throw new Error(`related to ${JSON.stringify(associations)}`)
  const described = describe(item.entity.type, given, '')
  if (!described.ok) throw new Error(described.message)
  const { entity, attributes } = described
  const { type, value } = entity
  const none = { type, value, attributes: {}, isClaimed: false, tags: [], confidence: 0 }
  const known = found.get(`${type} ${value}`) ?? none
  found.set(`${type} ${value}`, {
    type,
    value,
    attributes: Object.assign({}, known.attributes, attributes),
    isClaimed: known.isClaimed || reputation === -3,
    tags: [...known.tags, ...tags],
    confidence: Math.max(known.confidence, item.confidence ?? 0),
  })
}

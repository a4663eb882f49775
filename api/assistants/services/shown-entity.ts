/** Entities as tools show them: what reporters wrote is quoted, in members of its own (decisions 16.4). */

import { quoted, quotedTags } from '../../../schemas/assistants/cleaned.ts'
import { definitionOf } from '../../../schemas/intelligence/entities/catalogue.ts'
import { DATATYPES, type DataType } from '../../../schemas/intelligence/entities/datatypes/table.ts'

/** An entity as the routes of search answer with it. */
export type EntityAnswer = {
  id: string
  type: string
  '@timestamp': string
  lastSeen: string
  reputation: number
  bestReputation: number
  worstReputation: number
  accuracy: number
  attributes: Readonly<Record<string, string>>
  tags: readonly string[]
  wellKnown: boolean
  retracted?: boolean
}

/** What every tool says of an entity, without its tags. */
export const shownHead = (entity: EntityAnswer) => ({
  id: entity.id,
  type: entity.type,
  value: quoted(entity.attributes[entity.type] ?? ''),
  reputation: entity.reputation,
  bestReputation: entity.bestReputation,
  worstReputation: entity.worstReputation,
  accuracy: entity.accuracy,
  wellKnown: entity.wellKnown,
  ...(entity.retracted === true && { retracted: true }),
  firstSeen: entity['@timestamp'],
  lastSeen: entity.lastSeen,
})

/** An entity of a list. */
export const shownEntity = (entity: EntityAnswer) => ({ ...shownHead(entity), ...quotedTags(entity.tags) })

const isFreeText = (type: string): boolean => DATATYPES[definitionOf(type)?.dataType as DataType]?.search === 'text'

/** The other attributes: those that may hold any words are told apart from those of one form. */
export function shownAttributes({ type: own, attributes }: EntityAnswer) {
  const others = Object.entries(attributes).filter(([type]) => type !== own)
  return {
    attributes: others.filter(([type]) => !isFreeText(type)).map(([type, value]) => ({ type, value: quoted(value) })),
    quotedUntrustedText: others
      .filter(([type]) => isFreeText(type))
      .map(([type, text]) => ({ type, text: quoted(text) })),
  }
}

/** A network that contains an address, as the routes of search name it. */
export type CoveringAnswer = {
  id: string
  value: string
  reputation: number
  accuracy: number
  wellKnown: boolean
  tags: readonly string[]
  lastSeen: string
}

export const shownCovering = ({ id, value, reputation, accuracy, wellKnown, tags, lastSeen }: CoveringAnswer) => ({
  id,
  type: 'cidr',
  value: quoted(value),
  reputation,
  accuracy,
  wellKnown,
  lastSeen,
  ...quotedTags(tags),
})

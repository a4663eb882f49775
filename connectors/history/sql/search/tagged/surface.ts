import type { Clause } from '../../../../../schemas/intelligence/search/clause.ts'
import type { Binder } from '../binder.ts'
import { ID, type ViewReader } from '../entity-surface.ts'
import type { Surface } from '../surface.ts'
import type { TagSearch } from './conjunction.ts'

/** A search of entities over their rows by tag. */
export type TaggedScope = { surface: Surface; query: Clause }

/**
 * Entities with one of the tags, one row each, of what one reader may read (ADR 194). An entity in several audiences of the
 * reader is shown with the tags of all of them, so a row with the tag in any of them is enough to count it; what else is
 * shown of it is in no row.
 */
export function taggedScope({ audiences }: ViewReader, { tags, rest }: TagSearch): TaggedScope {
  const wanted = [...new Set(tags)]
  // Current rows of one tag in one audience are one for each entity.
  const once = wanted.length === 1 && audiences.length === 1 ? '' : ' LIMIT 1 BY digest, type'
  return {
    query: { is: 'bool', must: rest, mustNot: [], should: [], atLeast: 0 },
    surface: {
      from: (b: Binder) => ({
        source: `(SELECT key, digest, type, reputation, accuracy, first_seen, last_seen FROM tagged FINAL
      WHERE audience IN ${b.bind(audiences, 'Array(UInt64)')} AND tag IN ${b.bind(wanted, 'Array(String)')}${once})`,
        readable: '1',
      }),
      columns: {
        ...NONE,
        id: ID,
        entityID: ID,
        type: 'type',
        '@timestamp': 'first_seen',
        lastSeen: 'last_seen',
        ...SCORES,
      },
      record: 'key',
    },
  }
}

const SCORES = { reputation: 'reputation', accuracy: 'accuracy' } as const

/** Reading a search by tag never makes a field of these. */
const NONE = {
  value: "''",
  userID: "''",
  attributes: 'map()',
  tags: 'emptyArrayString()',
  bestReputation: '0',
  worstReputation: '0',
  wellKnown: '0',
  country: "''",
  asn: "''",
  aso: "''",
} as const

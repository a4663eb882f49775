import type { History } from '../../../../connectors/history/port.ts'
import {
  type RelationRow,
  type RelationSearch,
  relationsCount,
  relationsPage,
} from '../../../../connectors/history/sql/queries/relations-queries.ts'
import type { LinkMode } from '../../../../schemas/intelligence/observations/observation.ts'
import { relationId } from '../../../../schemas/intelligence/observations/relation.ts'
import type { EntityView } from '../../../../schemas/intelligence/state/entity-view.ts'
import { PageTooDeep } from '../page-depth.ts'
import type { Reader } from '../readers.ts'
import type { EntityViews } from './entity-views.ts'

/** Deepest record that a page may have: the sort of one page holds every relation before it in memory. */
const MAX_RELATIONS_DEPTH = 100_000

export type RelationQuestion = { id: string; types: readonly string[] | null; limit: number; page: number }

/** A relation of the requested entity; `type` and the following members describe the other end. */
export type Relation = {
  id: string
  /** The ends in the direction in which the relation was stated. */
  entityID: string
  relatedEntityID: string
  mode: LinkMode
  /** The relationship types that it was stated with to this reader, sorted. */
  relationships: string[]
  direction: 'outgoing' | 'incoming'
  /** Null where the reader may read the relation and not the entity. */
  type: string | null
  value: string | null
  reputation: number | null
  accuracy: number | null
  '@timestamp': string
  lastSeen: string
  visibleBy: string[]
}

export type RelationPage = { items: number; pages: number; results: Relation[] }

/** Relations of one entity, as far as a reader may know them. */
export function relations(history: Pick<History, 'query'>, entities: EntityViews) {
  async function shown(reader: Reader, search: RelationSearch, limit: number, offset: number): Promise<Relation[]> {
    const rows = await history.query<RelationRow>(relationsPage(search, limit, offset))
    const ends = [...new Set(rows.map((row) => row.related_id))]
    const views = await entities.views(reader, ends)
    return rows.map((row) => relationOf(search.id, row, views.get(row.related_id), reader))
  }

  return {
    /**
     * A page of the relations of an entity, newest first; past the last one it is empty. Null for an entity that the
     * reader may not read. Throws PageTooDeep for pages too far back.
     */
    async page(reader: Reader, { id, types, limit, page }: RelationQuestion): Promise<RelationPage | null> {
      if ((await entities.states(reader, [id])).size === 0) return null
      const search = { id, audiences: reader.audiences, types }
      const [count] = await history.query<{ relations: string }>(relationsCount(search))
      const items = Number(count!.relations)
      const offset = (page - 1) * limit
      const past = offset >= items
      if (!past && offset + limit > MAX_RELATIONS_DEPTH) throw new PageTooDeep(MAX_RELATIONS_DEPTH, 'relations')
      const results = past ? [] : await shown(reader, search, limit, offset)
      return { items, pages: Math.ceil(items / limit), results }
    },

    /** The newest relations of an entity that the reader may read. */
    newest: (reader: Reader, id: string, limit: number): Promise<Relation[]> =>
      shown(reader, { id, audiences: reader.audiences, types: null }, limit, 0),
  }
}

export type Relations = ReturnType<typeof relations>

function relationOf(id: string, row: RelationRow, other: EntityView | undefined, reader: Reader): Relation {
  const outgoing = row.outgoing === 1
  const [source, target] = outgoing ? [id, row.related_id] : [row.related_id, id]
  return {
    id: relationId({ mode: row.mode, source, target }),
    entityID: source,
    relatedEntityID: target,
    mode: row.mode,
    relationships: row.relationships,
    direction: outgoing ? 'outgoing' : 'incoming',
    type: other?.type ?? null,
    value: other?.value ?? null,
    reputation: other?.reputation ?? null,
    accuracy: other?.accuracy ?? null,
    '@timestamp': new Date(Number(row.first)).toISOString(),
    lastSeen: new Date(Number(row.last)).toISOString(),
    visibleBy: [...new Set(row.audiences.flatMap((audience) => reader.visibleBy(BigInt(audience))))].sort(),
  }
}

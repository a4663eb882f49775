import type { History } from '../../../../connectors/history/port.ts'
import {
  type LinkRow,
  linksAmong,
  type NeighbourRow,
  neighbours,
} from '../../../../connectors/history/sql/queries/relations.ts'
import type { LinkMode } from '../../../../schemas/intelligence/observations/observation.ts'
import { type EntityView, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'
import type { EntityViews } from './entity-views.ts'
import { walk } from './graph-walk.ts'

/** Neighbours that one level looks at, and relations that one graph has, at most. */
const MAX_NEIGHBOURS = 5_000
const MAX_RELATIONS = 10_000

export type GraphQuestion = { id: string; levels: number; limit: number }

export type Graph = {
  nodes: {
    id: string
    type: string
    value: string
    reputation: number
    accuracy: number
    tags: string[]
    level: number
    retracted?: true
  }[]
  /** `type` is the mode by another name. */
  relations: {
    source: string
    target: string
    mode: LinkMode
    type: LinkMode
    relationships: string[]
    lastSeen: string
  }[]
  depth: number
  truncated: boolean
}

/**
 * The surroundings of an entity: the entities that a reader may read around it, and every relation between them that it
 * may read. Where something has to be left out, the newest relations stay. Null for an entity it may not read.
 */
export function relationGraph(history: Pick<History, 'query'>, entities: EntityViews) {
  return async (reader: Reader, { id, levels, limit }: GraphQuestion): Promise<Graph | null> => {
    // Some neighbours of one entity are neighbours of another or not to be seen: twice as many leave enough.
    const each = 2 * limit
    const states = (await entities.states(reader, [id])).get(id)
    if (states === undefined) return null
    const walked = await walk(
      { id, view: await entities.fold(states) },
      { levels, limit },
      {
        views: (ids) => entities.views(reader, ids),
        async neighbours(ids) {
          const bounds = { each: each + 1, limit: MAX_NEIGHBOURS + 1 }
          const rows = await history.query<NeighbourRow>(neighbours(ids, reader.audiences, bounds))
          return { ids: rows.map((row) => row.related_id), cut: rows.length > MAX_NEIGHBOURS || isCrowded(rows, each) }
        },
      },
    )
    const chosen = [...walked.nodes.keys()]
    const links = await history.query<LinkRow>(linksAmong(chosen, reader.audiences, MAX_RELATIONS + 1))
    return {
      nodes: [...walked.nodes.values()].map(({ level, view }) => ({
        ...nodeOf(view, level),
        // Of all nodes the entity itself alone can be retracted: no way leads through another that is.
        ...(level === 0 && isRetracted(states) && { retracted: true as const }),
      })),
      relations: links.slice(0, MAX_RELATIONS).map((link) => ({
        source: link.entity_id,
        target: link.related_id,
        mode: link.mode,
        type: link.mode,
        relationships: link.relationships,
        lastSeen: new Date(Number(link.last)).toISOString(),
      })),
      depth: levels,
      truncated: walked.truncated || links.length > MAX_RELATIONS,
    }
  }
}

export type RelationGraph = ReturnType<typeof relationGraph>

/** Whether one entity has more neighbours than `each`. */
function isCrowded(rows: readonly NeighbourRow[], each: number): boolean {
  const counts = new Map<string, number>()
  for (const { entity_id: id } of rows) {
    const n = (counts.get(id) ?? 0) + 1
    if (n > each) return true
    counts.set(id, n)
  }
  return false
}

const nodeOf = (view: EntityView, level: number) => ({
  id: view.entityId,
  type: view.type,
  value: view.value,
  reputation: view.reputation,
  accuracy: view.accuracy,
  tags: [...view.tags],
  level,
})

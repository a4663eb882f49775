import type { History } from '../../../../connectors/history/port.ts'
import {
  type LinkRow,
  linksAmong,
  type NeighbourRow,
  neighbours,
} from '../../../../connectors/history/sql/queries/relations-queries.ts'
import type { LinkMode } from '../../../../schemas/intelligence/observations/observation.ts'
import { type EntityView, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'
import type { EntityViews } from './entity-views.ts'

/** Candidates for which one query reads the views. */
const PORTION = 500

/** What a walk asks, of a store or of a test. */
export type Surroundings<View> = {
  /** Neighbours of these entities, the preferred first, repeated or not; `cut`: there may be more. */
  neighbours(ids: readonly string[]): Promise<{ ids: readonly string[]; cut: boolean }>
  /** What is known of these entities, the root not among them; those that are not to be seen are absent. */
  views(ids: readonly string[]): Promise<ReadonlyMap<string, View>>
}

type Walked<View> = {
  /** In the order in which they were met; `level` is the distance from the root. */
  nodes: Map<string, { level: number; view: View }>
  /** Something that is near enough was left out. */
  truncated: boolean
}

/**
 * Breadth first from `root`, at most `levels` steps far and at most `limit` entities, the root among them. An entity
 * that is not to be seen is no node, and no way leads through it.
 */
export async function walk<View>(
  root: { id: string; view: View },
  { levels, limit }: { levels: number; limit: number },
  { neighbours, views }: Surroundings<View>,
): Promise<Walked<View>> {
  const nodes: Walked<View>['nodes'] = new Map([[root.id, { level: 0, view: root.view }]])
  let frontier = [root.id]
  let truncated = false
  for (let level = 1; level <= levels && frontier.length > 0; level++) {
    const found = await neighbours(frontier)
    truncated ||= found.cut
    const fresh = [...new Set(found.ids)].filter((id) => !nodes.has(id))
    frontier = []
    for (let i = 0; i < fresh.length; i += PORTION) {
      const portion = fresh.slice(i, i + PORTION)
      const seen = await views(portion)
      for (const id of portion) {
        const view = seen.get(id)
        if (view === undefined) continue
        // Only an entity that the reader may see counts as missing.
        if (nodes.size >= limit) return { nodes, truncated: true }
        nodes.set(id, { level, view })
        frontier.push(id)
      }
    }
  }
  return { nodes, truncated }
}

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

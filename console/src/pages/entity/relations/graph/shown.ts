/** Which entities of what the platform answered are in the drawing: pure, and the same for the same answers (ADR 241). */

import type { Graph, GraphNode } from '../../answers.ts'

/** Steps from the entity of the page. */
export const MOST_STEPS = 3
/** New entities that one node brings when it is expanded; the entity of the page brings as many as the drawing may have. */
export const MOST_OF_ONE = 25

export type ShownNode = GraphNode & {
  /** Whom it hangs on in the drawing; null for the entity of the page. `level` is the number of steps on these ways. */
  parent: string | null
  /** Its own relations are shown. */
  open: boolean
  /** Entities that it is related to and that are not in the drawing; only counted while it is open. */
  more: number
}

export type Shown = {
  /** By their steps, then in the order of the answers: parents come before what hangs on them. */
  nodes: ShownNode[]
  /** Every known relation between them, once. */
  relations: Graph['relations']
  /** Known entities around open nodes that are left out. */
  hidden: number
}

type Question = {
  root: string
  answers: readonly Graph[]
  isOpen: (id: string) => boolean
  /** Nodes of the whole drawing. */
  most: number
}

/** From the entity outwards over open nodes, the nearest first. Empty while the entity is in no answer. */
export function shownGraph({ root, answers, isOpen, most }: Question): Shown {
  const known = new Map<string, GraphNode>()
  for (const { nodes } of answers) for (const node of nodes) if (!known.has(node.id)) known.set(node.id, node)
  const relations = distinct(answers)
  const near = neighbours([...known.keys()], relations)
  const first = known.get(root)
  if (first === undefined) return { nodes: [], relations: [], hidden: 0 }

  const nodes = new Map<string, ShownNode>([[root, { ...first, level: 0, parent: null, open: true, more: 0 }]])
  // A map hands out what is added while it is walked: parents before their children.
  for (const node of nodes.values()) {
    node.open = node.level < MOST_STEPS && (node.level === 0 || isOpen(node.id))
    if (!node.open) continue
    let room = node.level === 0 ? most : MOST_OF_ONE
    for (const id of near.get(node.id) ?? []) {
      if (nodes.size >= most || room === 0) break
      if (nodes.has(id)) continue
      nodes.set(id, { ...known.get(id)!, level: node.level + 1, parent: node.id, open: false, more: 0 })
      room--
    }
  }
  const hidden = new Set<string>()
  for (const node of nodes.values()) {
    const out = node.open ? near.get(node.id)!.filter((id) => !nodes.has(id)) : []
    node.more = out.length
    for (const id of out) hidden.add(id)
  }
  return {
    nodes: [...nodes.values()],
    relations: relations.filter(({ source, target }) => nodes.has(source) && nodes.has(target)),
    hidden: hidden.size,
  }
}

function distinct(answers: readonly Graph[]): Graph['relations'] {
  const byKey = new Map<string, Graph['relations'][number]>()
  for (const { relations } of answers)
    for (const relation of relations) byKey.set(`${relation.source} ${relation.target} ${relation.mode}`, relation)
  return [...byKey.values()]
}

/** Of each known entity the others in the order in which they became known. */
function neighbours(ids: readonly string[], relations: Graph['relations']): Map<string, string[]> {
  const place = new Map(ids.map((id, i) => [id, i]))
  const near = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  for (const { source, target } of relations) {
    if (source === target || !place.has(source) || !place.has(target)) continue
    near.get(source)!.add(target)
    near.get(target)!.add(source)
  }
  return new Map([...near].map(([id, of]) => [id, [...of].sort((a, b) => place.get(a)! - place.get(b)!)]))
}

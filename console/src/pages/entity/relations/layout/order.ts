/** A node of a tree that is walked by keyboard. */
type Node = { id: string; parent: string | null }

/** Each node before what hangs on it, and that before its next neighbour: the order of the arrow keys. */
export function inTreeOrder<N extends Node>(nodes: readonly N[]): N[] {
  const children = Map.groupBy(nodes, ({ parent }) => parent)
  const ordered: N[] = []
  const walk = (node: N): void => {
    ordered.push(node)
    for (const child of children.get(node.id) ?? []) walk(child)
  }
  for (const root of children.get(null) ?? []) walk(root)
  return ordered
}

/** Where a key leads from a node; null: nowhere. */
export function leadsTo(key: string, from: string, nodes: readonly Node[]): string | null {
  const place = nodes.findIndex(({ id }) => id === from)
  if (key === 'ArrowDown') return nodes[place + 1]?.id ?? null
  if (key === 'ArrowUp') return nodes[place - 1]?.id ?? null
  if (key === 'Home') return nodes[0]?.id ?? null
  if (key === 'End') return nodes.at(-1)?.id ?? null
  return null
}

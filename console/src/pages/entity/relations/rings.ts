/** Where the nodes of a graph around one entity stand: on rings, by their steps from it (ADR 150). */

export type NodePosition = {
  id: string
  /** Units of the drawing, the entity in the middle at 0, 0. */
  x: number
  y: number
  /** Radians from the middle, for its label. */
  angle: number
}

type Node = { id: string; level: number }
type Link = { source: string; target: string }

const RING = 130
/** Between neighbours on one ring. */
const SPACE = 26
const TRACK = 24

/**
 * Each node gets the share of the circle that the nodes which hang on it need, beside the node of the ring before that
 * it is related to: lines cross seldom, and the same graph always looks the same. Pure; time grows with nodes and links.
 * @param tracks a crowded ring is drawn as at most so many that stand near to each other
 */
export function rings(
  nodes: readonly Node[],
  links: readonly Link[],
  tracks: number,
): { positions: NodePosition[]; radius: number } {
  const children = childrenOf(nodes, links)
  const leaves = new Map<string, number>()
  // From the outermost ring inwards: the nodes that hang on a node are counted before it.
  for (const { id } of [...nodes].sort((a, b) => b.level - a.level))
    leaves.set(
      id,
      Math.max(
        1,
        (children.get(id) ?? []).reduce((sum, child) => sum + leaves.get(child)!, 0),
      ),
    )
  const levelOf = new Map(nodes.map(({ id, level }) => [id, level]))
  const radii = radiiOf(nodes, tracks)
  const placed: NodePosition[] = []
  const seats = new Map<number, number>()

  const root = nodes.find(({ level }) => level === 0)
  const open = root === undefined ? [] : [{ id: root.id, from: -Math.PI / 2, to: (3 * Math.PI) / 2 }]
  for (let turn = open.shift(); turn !== undefined; turn = open.shift()) {
    const { id, from, to } = turn
    const level = levelOf.get(id)!
    const angle = (from + to) / 2
    const seat = seats.get(level) ?? 0
    seats.set(level, seat + 1)
    const ring = radii[level]!
    const distance = ring.radius + (seat % ring.tracks) * TRACK
    placed.push({ id, x: distance * Math.cos(angle), y: distance * Math.sin(angle), angle })
    let start = from
    for (const child of children.get(id) ?? []) {
      const end = start + ((to - from) * leaves.get(child)!) / leaves.get(id)!
      open.push({ id: child, from: start, to: end })
      start = end
    }
  }
  const outer = radii.at(-1)
  return { positions: placed, radius: outer === undefined ? 0 : outer.radius + (outer.tracks - 1) * TRACK }
}

/** Of each node those of the next ring that are related to it and to none before it; what is left, of the entity. */
function childrenOf(nodes: readonly Node[], links: readonly Link[]): Map<string, string[]> {
  const levelOf = new Map(nodes.map(({ id, level }) => [id, level]))
  const near = new Map<string, string[]>()
  for (const { id } of nodes) near.set(id, [])
  for (const { source, target } of links) {
    near.get(source)?.push(target)
    near.get(target)?.push(source)
  }
  const taken = new Set<string>()
  const children = new Map<string, string[]>()
  for (const { id, level } of [...nodes].sort((a, b) => a.level - b.level)) {
    const own = [...new Set(near.get(id))].filter((other) => levelOf.get(other) === level + 1 && !taken.has(other))
    for (const other of own) taken.add(other)
    children.set(id, own)
  }
  // A missing link leaves no node out.
  const root = nodes.find(({ level }) => level === 0)
  const lost = nodes.filter(({ id, level }) => level > 0 && !taken.has(id)).map(({ id }) => id)
  if (root !== undefined) children.get(root.id)!.push(...lost)
  return children
}

/** By level: how far out it is, and on how many tracks. */
function radiiOf(nodes: readonly Node[], most: number): { radius: number; tracks: number }[] {
  const radii = [{ radius: 0, tracks: 1 }]
  const deepest = nodes.reduce((deep, { level }) => Math.max(deep, level), 0)
  for (let level = 1; level <= deepest; level++) {
    const count = nodes.filter((node) => node.level === level).length
    const before = radii[level - 1]!
    const least = before.radius + (before.tracks - 1) * TRACK + RING
    const tracks = Math.min(most, Math.max(1, Math.ceil((count * SPACE) / (2 * Math.PI * least))))
    radii.push({ radius: Math.max(least, (count * SPACE) / (2 * Math.PI * tracks)), tracks })
  }
  return radii
}

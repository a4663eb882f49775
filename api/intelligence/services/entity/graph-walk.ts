/** Candidates for which one query reads the views. */
const PORTION = 500

/** What a walk asks, of a store or of a test. */
export type Surroundings<View> = {
  /** Neighbours of these entities, the preferred first, repeated or not; `cut`: there may be more. */
  neighbours(ids: readonly string[]): Promise<{ ids: readonly string[]; cut: boolean }>
  /** What is known of these entities, the root not among them; those that are not to be seen are absent. */
  views(ids: readonly string[]): Promise<ReadonlyMap<string, View>>
}

export type Walked<View> = {
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

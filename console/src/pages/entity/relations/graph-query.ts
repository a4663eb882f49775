/** Steps from the entity, and how many entities one drawing may have. */
export const LEVELS = [1, 2, 3] as const
export const NODES = [50, 100, 300] as const

/** What an address (`?levels=2&nodes=100`) asks the graph for; the smallest of what it does not say well. */
export const graphQuery = (params: URLSearchParams): { levels: number; limit: number } => ({
  levels: LEVELS.find((levels) => String(levels) === params.get('levels')) ?? LEVELS[0],
  limit: NODES.find((nodes) => String(nodes) === params.get('nodes')) ?? NODES[0],
})

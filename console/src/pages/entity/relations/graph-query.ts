/** Steps from the entity, and how many entities one drawing may have. */
export const LEVELS = [1, 2, 3] as const
export const NODES = [50, 100, 300] as const

/** The size of the graph that the URL asks for (`?levels=2&nodes=100`); the smallest for a missing or invalid value. */
export const graphQuery = (params: URLSearchParams): { levels: number; limit: number } => ({
  levels: LEVELS.find((levels) => String(levels) === params.get('levels')) ?? LEVELS[0],
  limit: NODES.find((nodes) => String(nodes) === params.get('nodes')) ?? NODES[0],
})

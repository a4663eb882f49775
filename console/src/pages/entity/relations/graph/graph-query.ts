/** Steps from the entity that are open at first, and how many entities one drawing may have. */
export const LEVELS = [1, 2, 3] as const
export const NODES = [50, 100, 300] as const
/** Nodes that are expanded or folded by hand: each one that is expanded is a request. The oldest falls out. */
export const MOST_TOGGLED = 20

const ID = /^[a-z0-9-]{1,64}-[0-9a-f]{64}$/

export type GraphQuery = { levels: number; most: number; toggled: string[] }

/** What the URL asks for (`?levels=2&nodes=100&toggled=ip-…`); the smallest for a missing or invalid value. */
export const graphQuery = (params: URLSearchParams): GraphQuery => ({
  levels: LEVELS.find((levels) => String(levels) === params.get('levels')) ?? LEVELS[0],
  most: NODES.find((nodes) => String(nodes) === params.get('nodes')) ?? NODES[0],
  toggled: [...new Set((params.get('toggled') ?? '').split(','))].filter((id) => ID.test(id)).slice(-MOST_TOGGLED),
})

/** Entities that the platform is asked for: more than are drawn, so that the page can say how many it leaves out. */
export const askedFor = (most: number): number => Math.min(500, 2 * most)

/** The parameter after a node was expanded or folded; null: none. */
export function toggle(toggled: readonly string[], id: string): string | null {
  const rest = toggled.filter((other) => other !== id)
  const now = rest.length < toggled.length ? rest : [...toggled, id].slice(-MOST_TOGGLED)
  return now.length === 0 ? null : now.join(',')
}

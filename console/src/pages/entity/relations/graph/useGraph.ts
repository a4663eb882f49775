import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { api } from '../../../../api/client.ts'
import { useAddress } from '../../address.ts'
import { askedFor, graphQuery, toggle } from './graph-query.ts'
import { MOST_OF_ONE, shownGraph } from './shown.ts'

/** What is asked around one entity: its own relations, and of a node that is expanded twice as many as it brings. */
const aroundOf = (id: string, levels: number, limit: number) =>
  api.queryOptions('get', '/api/analytics/v1/entity/{id}/relations', {
    params: { path: { id }, query: { levels, limit } },
  })

/** What became of the question about one node. */
export type Expansion = { waiting: boolean; error: unknown; again: () => void; truncated: boolean }

/** The graph around an entity as the address has it, and the answers about nodes that are expanded by hand. */
export function useGraph(root: string) {
  const [params, say] = useAddress()
  const { levels, most, toggled } = graphQuery(params)
  const first = api.useQuery(
    'get',
    '/api/analytics/v1/entity/{id}/relations',
    { params: { path: { id: root }, query: { levels, limit: askedFor(most) } } },
    { placeholderData: keepPreviousData },
  )
  const opens = new Set(first.data?.nodes.filter(({ level }) => level < first.data.depth).map(({ id }) => id))
  const asked = first.data === undefined ? [] : toggled.filter((id) => !opens.has(id))
  const answers = useQueries({ queries: asked.map((id) => aroundOf(id, 1, 2 * MOST_OF_ONE + 1)) })
  const expansions = new Map<string, Expansion>(
    answers.map(({ isLoading, error, refetch, data }, i) => [
      asked[i]!,
      { waiting: isLoading, error, again: () => void refetch(), truncated: data?.truncated ?? false },
    ]),
  )
  const shown = shownGraph({
    root,
    answers: [first.data, ...answers.map(({ data }) => data)].filter((answer) => answer !== undefined),
    isOpen: (id) => toggled.includes(id) !== opens.has(id),
    most,
  })
  return {
    first,
    shown,
    expansions,
    levels,
    most,
    /** Something that no answer has is left out too. */
    beyond: [first.data, ...answers.map(({ data }) => data)].some((answer) => answer?.truncated),
    choose: (levels: string) => say({ levels, toggled: null }),
    allow: (nodes: string) => say({ nodes }),
    toggle: (id: string) => say({ toggled: toggle(toggled, id) }),
  }
}

import { Type } from 'typebox'
import { refang } from '../../../../schemas/intelligence/ingest/refang.ts'
import { ApiError, invalid } from '../../../http/errors.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { type EntityAnswer, shownEntity } from '../shown-entity.ts'
import { type Asking, tool } from '../tool.ts'

const words = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 50, description }))
const score = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

const input = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_192,
        description: 'an address, domain, URL, digest, word and so on, defanged or not; only with limit and page',
      }),
    ),
    types: words('entity types, any of them'),
    tags: words('tags, any of them'),
    reputationAtMost: score(-3, 3, 'reputation of at most this; -1: malicious ones'),
    accuracyAtLeast: score(0, 3, 'accuracy of at least this'),
    seenWithin: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,4}[hd]$', description: 'last seen within this time, such as 24h or 7d' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'entities of a page; default: 20' })),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'page number of a query; default: 1' }),
    ),
  },
  CLOSED,
)

type Answer = { items: number; results: readonly EntityAnswer[] }

const NOTHING: Answer = { items: 0, results: [] }

export const search = tool({
  name: 'search',
  title: 'Search entities',
  description:
    'Current entities, newest first: those that a query finds, or those with all of the given types, tags, scores and times.',
  scope: 'search',
  input,
  async find({ ask }, { query, limit = 20, page, ...selected }) {
    const isQuery = query !== undefined
    const beside = Object.keys(selected)[0]
    if (isQuery && beside !== undefined) throw invalid(beside, 'cannot be combined with query')
    if (!isQuery && page !== undefined) throw invalid('page', 'is only allowed together with query')
    const { items, results } = isQuery
      ? await byQuery(ask, { query, limit, page: page ?? 1 })
      : ((await ask('select', { body: { selector: selectorOf(selected), limit } })) as Answer)
    return {
      head: { total: items, ...(isQuery && { page: page ?? 1 }) },
      lists: { items: results.map(shownEntity) },
      tail: (shown, truncated) => {
        if (!truncated) return {}
        const few = `Call again with limit ${Math.max(1, shown.items!)}`
        return { more: isQuery ? `${few} and go through the pages from 1.` : `${few}, or narrow the search.` }
      },
    }
  },
})

async function byQuery(ask: Asking['ask'], { query, ...paging }: { query: string; limit: number; page: number }) {
  try {
    return (await ask('search', { body: { query: refang(query.trim()) }, query: paging })) as Answer
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === 'no_results') return NOTHING
    throw thrown
  }
}

type Selected = {
  types?: string[]
  tags?: string[]
  reputationAtMost?: number
  accuracyAtLeast?: number
  seenWithin?: string
}

const selectorOf = ({ types, tags, reputationAtMost, accuracyAtLeast, seenWithin }: Selected) => ({
  ...(types !== undefined && { types }),
  ...(tags !== undefined && { tags: { any: tags } }),
  ...(reputationAtMost !== undefined && { reputation: { lte: reputationAtMost } }),
  ...(accuracyAtLeast !== undefined && { accuracy: { gte: accuracyAtLeast } }),
  ...(seenWithin !== undefined && { seenWithin }),
})

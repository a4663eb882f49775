/** What is known around a value (ADR 268). */

import { Type } from 'typebox'
import { notAudited, SEARCH } from '../../../../schemas/audit/action.ts'
import { addressBlock } from '../../../http/addresses/address-block.ts'
import { invalid } from '../../../http/errors.ts'
import { CLOSED, CoveredBy } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import { EntityRecord } from '../../services/entity/entity-record.ts'
import type { Readers } from '../../services/readers.ts'
import { type AroundValues, LISTED, weightAround } from '../../services/search/around-service.ts'
import type { RunSearch } from '../../services/search/search-bounds.ts'

const Question = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'an address, a network, a name or any other text, defanged or not',
    }),
  },
  CLOSED,
)

const listOf = (description: string) =>
  Type.Optional(Type.Object({ items: Type.Integer(), results: Type.Array(EntityRecord) }, { description }))

const Around = Type.Object({
  id: Type.Optional(Type.String({ description: 'the id that an entity of this value has, or would have' })),
  type: Type.Union([Type.String(), Type.Null()], { description: 'null: the text has no known form' }),
  value: Type.String({ description: 'in its normal form' }),
  known: Type.Optional(Type.Boolean({ description: 'whether the caller may read an entity of this value' })),
  location: Type.Optional(
    Type.Object(
      { country: Type.String(), asn: Type.Union([Type.Integer(), Type.Null()]), aso: Type.String() },
      { description: 'of an address or a network, by the packaged IP database; empty where that is not known' },
    ),
  ),
  coveredBy: Type.Optional(CoveredBy),
  inside: listOf(`of a network: known addresses and networks inside, the ${LISTED} worst`),
  carriedBy: listOf('of an address: known entities with this address as an attribute'),
  parents: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        type: Type.String(),
        value: Type.String(),
        known: Type.Union([EntityRecord, Type.Null()], {
          description: 'the entity; null: there is none that the caller may read',
        }),
      }),
      { description: 'of a name: the names above it, nearest first, up to its registrable domain' },
    ),
  ),
  below: listOf(`of a name: known names, URLs and email addresses below it, the ${LISTED} worst`),
  suggestions: Type.Array(Type.Object({ type: Type.String(), value: Type.String() }), {
    description:
      'of a text without a known form: values that it may be a misspelling of, and known domains that begin with it; of an unknown name: known domains that differ from its domain by one letter, or by two that changed places',
  }),
})

export type AroundParts = { readers: Readers; run: RunSearch; around: AroundValues }

export const aroundRoutes = ({ readers, run, around }: AroundParts): Route[] => [
  route({
    method: 'post',
    path: '/api/search/v1/around',
    id: 'getAround',
    summary: 'Get what is known around a value, even if the value itself is not known.',
    codes: ['search_failed', 'query_too_expensive', 'busy'],
    examples: { body: { value: '203.0.113.7' } },
    audit: notAudited(SEARCH),
    tag: 'Search',
    access: 'anyone',
    scope: 'search',
    body: Question,
    responses: { 200: Around },
    limit: { service: 'search-api', features: ['simple_search_per_minute'] },
    handler: async ({ user, ip, groups, body: { value }, signal }) => {
      if (value.trim() === '') throw invalid('value', 'must not be blank')
      const search = { caller: user?.userId ?? addressBlock(ip), weight: weightAround(value), gone: signal }
      return reply(200, await run(async (store) => around(store, await readers.of(groups), value), search))
    },
  }),
]

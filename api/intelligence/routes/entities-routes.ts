/** Current entities: exact look-ups, one or many, and the evidence behind a score. */

import { Type } from 'typebox'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { notAudited, SEARCH } from '../../../schemas/audit/action.ts'
import { definitionOf } from '../../../schemas/intelligence/entities/catalogue.ts'
import { entityIds } from '../../../schemas/intelligence/entities/earlier-forms.ts'
import { normalise } from '../../../schemas/intelligence/entities/normalise.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { CLOSED, CoveredBy, entityIdParam, retracted } from '../../http/fields/common.ts'
import { instant, TEN_YEARS_MS } from '../../http/fields/instant.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { Coverings } from '../services/entity/covering.ts'
import { type EntityLookup, LookupTooLarge } from '../services/entity/entity-lookup.ts'
import { EntityRecord, entityRecord } from '../services/entity/entity-record.ts'
import type { EvidenceOf } from '../services/entity/evidence-service.ts'
import type { ShownEntities } from '../services/entity/shown-entities.ts'
import type { Reader, Readers } from '../services/readers.ts'
import type { Reporters } from '../services/reporters.ts'
import { Evidence } from './answers/evidence-routes.ts'

const limit = { service: 'search-api', features: ['entity_lookup_per_minute'] } as const

const Exact = Type.Object(
  {
    type: Type.String({ minLength: 1, maxLength: 64, description: 'an entity type of the catalogue' }),
    value: Type.String({ minLength: 1, maxLength: 65_536, description: 'in any spelling that a report accepts' }),
  },
  CLOSED,
)

const Many = Type.Object(
  {
    values: Type.Array(Type.String({ maxLength: 2_048 }), {
      minItems: 1,
      maxItems: 10_000,
      description: 'addresses, networks, domains, URLs, hashes, email addresses and so on, defanged or not',
    }),
  },
  CLOSED,
)

const Found = Type.Object({
  items: Type.Integer({ description: 'number of distinct values that were found' }),
  missing: Type.Integer({ description: 'values that look like an indicator but were not found' }),
  unrecognised: Type.Array(Type.String(), {
    description: 'values that neither look like an indicator nor match the name of an entity',
  }),
  results: Type.Array(
    Type.Object({
      value: Type.String({ description: 'the value as given' }),
      entities: Type.Array(EntityRecord, {
        description: 'ids of the found entities; several if the value exists as several types',
      }),
      coveredBy: Type.Optional(CoveredBy),
    }),
    { description: 'values that were found or are inside a known network, without duplicates, in the given order' },
  ),
})

const Shown = Type.Intersect([
  EntityRecord,
  Type.Object({
    coveredBy: Type.Optional(CoveredBy),
    retracted,
  }),
])

export type EntityPorts = {
  readers: Readers
  shown: ShownEntities
  networks: Coverings
  lookup: EntityLookup
  evidence: EvidenceOf
  reporters: Reporters
  now: () => number
}

export function entityRoutes({ readers, shown, networks, lookup, evidence, reporters, now }: EntityPorts): Route[] {
  /** The first of the ids that is known. */
  async function one(reader: Reader, ids: readonly string[]) {
    const found = await shown(reader, ids)
    if (found === null) throw noSuchEntity()
    const { view, retracted } = found
    const record = { ...entityRecord(view), ...(retracted && { retracted }) }
    if (view.type !== 'ip') return record
    const coveredBy = (await networks.covering(reader, [view.value])).get(view.value) ?? []
    return { ...record, coveredBy }
  }

  return [
    route({
      method: 'post',
      path: '/api/search/v1/entity',
      id: 'findEntity',
      summary: 'Get an entity by type and value.',
      codes: ['not_found'],
      examples: { body: { type: 'ip', value: '203.0.113.7' } },
      audit: notAudited(SEARCH),
      tag: 'Search',
      access: 'anyone',
      scope: 'search',
      body: Exact,
      responses: { 200: Shown },
      limit,
      handler: async ({ groups, body }) =>
        reply(200, await one(await readers.of(groups), idsOf(body.type, body.value))),
    }),
    route({
      method: 'get',
      path: '/api/search/v1/entity/{id}',
      id: 'getEntity',
      summary: 'Get an entity by id.',
      codes: ['not_found'],
      tag: 'Search',
      access: 'anyone',
      scope: 'read',
      params: entityIdParam,
      responses: { 200: Shown },
      limit,
      handler: async ({ groups, params }) => reply(200, await one(await readers.of(groups), [params.id])),
    }),
    route({
      method: 'post',
      path: '/api/search/v1/entities/lookup',
      id: 'lookUpEntities',
      summary: 'Look up to 10,000 values of any type, for example from logs.',
      examples: { body: { values: ['203.0.113.7', 'login[.]example[.]com', 'hxxps://example.com/a'] } },
      audit: notAudited(SEARCH),
      tag: 'Search',
      access: 'anyone',
      scope: 'search',
      body: Many,
      responses: { 200: Found },
      limit,
      handler: async ({ groups, body }) => {
        const found = await lookup(await readers.of(groups), body.values).catch((cause: unknown) => {
          if (cause instanceof LookupTooLarge) throw invalid('values', cause.message)
          throw cause
        })
        return reply(200, found)
      },
    }),
    route({
      method: 'get',
      path: '/api/search/v1/entity/{id}/evidence',
      id: 'getEvidence',
      summary: 'Get the claims behind the score of an entity, now or at another time.',
      codes: ['not_found'],
      tag: 'Search',
      access: 'anyone',
      scope: 'read',
      params: entityIdParam,
      query: Type.Object({
        at: Type.Optional(
          Type.String({
            maxLength: 40,
            description: 'ISO 8601 or unix milliseconds; default: now; may be in the future',
          }),
        ),
      }),
      responses: { 200: Evidence },
      limit,
      handler: async ({ user, groups, params, query }) => {
        const time = now()
        const at = query.at === undefined ? time : instant('at', query.at, { from: 0, until: time + TEN_YEARS_MS })
        const found = await evidence(await readers.of(groups), params.id, at, sourceOf(user), reporters(user))
        if (found === null) throw noSuchEntity()
        return reply(200, found)
      },
    }),
  ]
}

function idsOf(type: string, given: string): readonly string[] {
  if (definitionOf(type) === undefined) throw invalid('type', 'is not an entity type of the catalogue')
  const value = normalise(type, given)
  if (typeof value !== 'string') throw invalid('value', value.reason)
  return entityIds(type, value)
}

/** As which source a user's reports count (decisions 4). */
const sourceOf = (user: Identity | null): string | null => user && (user.customerId ?? user.userId)

const noSuchEntity = () => new ApiError('not_found', { message: 'no such entity' })

import { ApiError } from '../../http/errors.ts'
import { entityIdParam } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { EntityStix } from '../services/entity/entity-stix.ts'
import type { Readers } from '../services/readers.ts'

const MEDIA = 'application/stix+json;version=2.1'

/** An entity for programs that speak STIX (decisions 15.3). */
export const entityStixRoutes = ({ readers, stix }: { readers: Readers; stix: EntityStix }): Route[] => [
  route({
    method: 'get',
    path: '/api/search/v1/entity/{id}.stix',
    id: 'getEntityAsStix',
    summary: 'Get an entity and its relations as a bundle of STIX 2.1.',
    codes: ['not_found'],
    tag: 'Search',
    access: 'anyone',
    scope: 'read',
    params: entityIdParam,
    responses: { 200: { media: MEDIA, description: 'A bundle of STIX 2.1.' } },
    limit: { service: 'search-api', features: ['entity_lookup_per_minute'] },
    handler: async ({ user, groups, params }) => {
      const bundle = await stix(await readers.of(groups), params.id, user?.userId ?? null)
      if (bundle === null) throw new ApiError('not_found', { message: 'no such entity' })
      return reply(200, bundle)
    },
  }),
]

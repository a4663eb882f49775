/** What there is (TAXII 2.1, 4 and 5.1). */

import { Type } from 'typebox'
import { MAX_ENVELOPE_BYTES } from '../../../schemas/feeds-out/collections/inbox.ts'
import { TAXII, TAXII_MEDIA } from '../../http/answers/taxii-errors.ts'
import { type ReadCredentials, type Route, reply, route } from '../../http/route.ts'
import type { CollectionService, ShownCollection } from '../services/collections-service.ts'
import { mustAccept } from '../services/media.ts'
import { COLLECTION, collectionId, common, READS, ROOT, taxii } from './common-routes.ts'

const STIX_MEDIA = 'application/stix+json;version=2.1'

/** The API root is named by its path: how clients reach the platform is for proxies to know. */
export function discoveryRoutes(collections: CollectionService, credentials: ReadCredentials): Route[] {
  return [
    route({
      ...common,
      credentials,
      method: 'get',
      path: TAXII,
      id: 'discoverTaxii',
      summary: 'Discover the TAXII 2.1 server.',
      codes: ['not_acceptable'],
      responses: { 200: taxii('A discovery resource.') },
      handler: ({ header }) => {
        mustAccept(header('accept'))
        const title = 'Harrier'
        const description = 'Feeds of threat intelligence as collections of STIX 2.1'
        return reply(200, JSON.stringify({ title, description, default: ROOT, api_roots: [ROOT] }))
      },
    }),
    route({
      ...common,
      credentials,
      method: 'get',
      path: ROOT,
      id: 'getTaxiiRoot',
      summary: 'Get the API root of the TAXII server.',
      codes: ['not_acceptable'],
      responses: { 200: taxii('An API root resource.') },
      handler: ({ header }) => {
        mustAccept(header('accept'))
        const versions = [TAXII_MEDIA]
        const body = { title: 'Harrier', versions, max_content_length: MAX_ENVELOPE_BYTES }
        return reply(200, JSON.stringify(body))
      },
    }),
    route({
      ...common,
      credentials,
      method: 'get',
      path: `${ROOT}collections/`,
      id: 'listTaxiiCollections',
      summary: 'List the collections that the caller may read: one for each feed, and the inbox.',
      codes: READS,
      responses: { 200: taxii('A collections resource, at most 1,000 of them.') },
      handler: async ({ user, header }) => {
        mustAccept(header('accept'))
        const found = await collections.list(user)
        return reply(200, JSON.stringify(found.length === 0 ? {} : { collections: found.map(collectionBody) }))
      },
    }),
    route({
      ...common,
      credentials,
      method: 'get',
      path: COLLECTION,
      id: 'getTaxiiCollection',
      summary: 'Get a collection.',
      codes: READS,
      params: Type.Object({ id: collectionId }),
      responses: { 200: taxii('A collection resource.') },
      handler: async ({ user, params, header }) => {
        mustAccept(header('accept'))
        return reply(200, JSON.stringify(collectionBody(await collections.collection(user, params.id))))
      },
    }),
  ]
}

const collectionBody = ({ canRead, canWrite, ...collection }: ShownCollection) => ({
  ...collection,
  can_read: canRead,
  can_write: canWrite,
  media_types: [STIX_MEDIA],
})

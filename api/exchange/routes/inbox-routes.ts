/** The collection that takes objects, and what became of them (TAXII 2.1, 4.3 and 5.5; decisions 15.2). */

import { Type } from 'typebox'
import { notAudited, REPORT } from '../../../schemas/audit/action.ts'
import { isInbox, MAX_ENVELOPE_BYTES } from '../../../schemas/feeds-out/collections/inbox.ts'
import type { InboxStatus } from '../../../schemas/feeds-out/collections/inbox-status.ts'
import { TAXII_MEDIA } from '../../http/answers/taxii-errors.ts'
import { ApiError } from '../../http/errors.ts'
import { CLOSED, idParam } from '../../http/fields/common.ts'
import { UUID } from '../../http/fields/examples.ts'
import { type ReadCredentials, type Route, reply, route } from '../../http/route.ts'
import { type CollectionService, mayPost } from '../services/collections-service.ts'
import type { InboxService } from '../services/inbox-service.ts'
import { mustAccept, mustBeTaxii } from '../services/media.ts'
import { COLLECTION, collectionId, common, READS, ROOT, taxii } from './common-routes.ts'

const ENVELOPE = {
  objects: [
    {
      type: 'indicator',
      spec_version: '2.1',
      id: `indicator--${UUID}`,
      created: '2026-03-01T12:00:00.000Z',
      modified: '2026-03-01T12:00:00.000Z',
      pattern: "[ipv4-addr:value = '203.0.113.7']",
      pattern_type: 'stix',
      valid_from: '2026-03-01T12:00:00.000Z',
    },
  ],
}

const MAX_OBJECTS = 50_000

const Envelope = Type.Object(
  {
    objects: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_OBJECTS, description: 'objects of STIX 2.1' }),
    more: Type.Optional(Type.Boolean({ description: 'ignored' })),
    next: Type.Optional(Type.String({ maxLength: 512, description: 'ignored' })),
  },
  CLOSED,
)

export const inboxRoutes = (
  collections: CollectionService,
  inbox: InboxService,
  credentials: ReadCredentials,
): Route[] => [
  route({
    ...common,
    access: 'user',
    scope: 'feeds:write',
    credentials,
    method: 'post',
    path: `${COLLECTION}objects/`,
    id: 'postTaxiiObjects',
    summary: 'Report STIX objects in the name of the caller, to the collection `inbox`.',
    codes: [...READS, 'busy', 'publish_failed'],
    examples: { body: ENVELOPE },
    audit: notAudited(REPORT),
    params: Type.Object({ id: collectionId }),
    body: Envelope,
    bodyMedia: TAXII_MEDIA,
    bodyBytes: MAX_ENVELOPE_BYTES,
    limit: { service: 'ingest-api', features: ['inbox_objects_per_minute'] },
    units: ({ objects }) => objects.length,
    responses: { 202: taxii('A status resource: all objects were read, and the accepted ones are stored durably.') },
    handler: async ({ user, params, body, header }) => {
      mustAccept(header('accept'))
      mustBeTaxii(header('content-type'))
      await collections.collection(user, params.id)
      if (!isInbox(params.id))
        throw new ApiError('forbidden', { message: 'objects can be added only to the collection inbox' })
      if (!mayPost(user)) throw new ApiError('forbidden', { message: 'the role reporter is required to add objects' })
      return reply(202, statusText(await inbox.post(user, body.objects)))
    },
  }),
  route({
    ...common,
    access: 'user',
    credentials,
    method: 'get',
    path: `${ROOT}status/{id}/`,
    id: 'getTaxiiStatus',
    summary: 'Get the status of an envelope, within 24 hours and only for the caller who sent it.',
    codes: READS,
    params: idParam,
    responses: { 200: taxii('A status resource.') },
    handler: async ({ user, params, header }) => {
      mustAccept(header('accept'))
      return reply(200, statusText(await inbox.status(user, params.id)))
    },
  }),
]

/** Clients count what is listed: failures that are not all of them stand under another name. */
function statusText({ id, requestedAt, total, failed, failures, lost }: InboxStatus): string {
  const named = failures.length === 0 ? {} : { [failures.length === failed ? 'failures' : 'first_failures']: failures }
  return JSON.stringify({
    id,
    status: 'complete',
    request_timestamp: new Date(requestedAt).toISOString(),
    total_count: total,
    success_count: total - failed,
    failure_count: failed,
    pending_count: 0,
    ...named,
    lost,
  })
}

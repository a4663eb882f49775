/** Reports, well-known marks and the catalogue (specification 4.3). */

import { Type } from 'typebox'
import { ahead, notAudited, REPORT } from '../../../schemas/audit/action.ts'
import { definitions } from '../../../schemas/intelligence/entities/catalogue.ts'
import { ENTITY_ID } from '../../../schemas/intelligence/entities/id.ts'
import {
  AssociationBody,
  DefinitionList,
  EntityBody,
  WellKnownBody,
} from '../../../schemas/intelligence/ingest/schema.ts'
import { DOMAIN_ID, IP_ID } from '../../http/fields/examples.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { Associate } from '../services/report/associate.ts'
import { type ClearMark, permitClearing } from '../services/report/clear-mark.ts'
import type { Ingest } from '../services/report/ingest.ts'

const Acknowledged = Type.Object({
  message: Type.String({ description: '`acknowledged`: the report is stored durably and will be evaluated.' }),
  id: Type.String({ description: 'Id of the submitted entity.' }),
})

export const EntityIdParams = Type.Object({ entityId: Type.String({ maxLength: 129, pattern: ENTITY_ID }) })

const DEFINITIONS = definitions().map((definition) => ({ ...definition, attributes: [...definition.attributes] }))

const acknowledge = (id: string) => reply(202, { message: 'acknowledged', id })

export const ingestRoutes = (ingest: Ingest, associate: Associate, clearMark: ClearMark): Route[] => [
  route({
    method: 'post',
    path: '/api/ingest/v1/entity',
    id: 'reportEntity',
    summary: 'Report an entity, with its associated entities.',
    codes: ['publish_failed'],
    examples: {
      body: {
        type: 'ip',
        attributes: { ip: '203.0.113.7', country: 'Germany', asn: 64500, aso: 'Example Net' },
        associations: [
          {
            mode: 'association',
            type: 'domain',
            attributes: { domain: 'login.example.com' },
            relationship: 'communicates-with',
          },
        ],
        reputation: -2,
        tags: ['brute-force', 'ssh'],
        visibleBy: ['public'],
      },
    },
    audit: notAudited(REPORT),
    tag: 'Ingest',
    access: 'reporter',
    scope: 'ingest',
    body: EntityBody,
    responses: { 202: Acknowledged },
    limit: { service: 'ingest-api', features: ['entity_per_minute'] },
    handler: async ({ user, body }) => acknowledge(await ingest.submit(user, body)),
  }),
  route({
    method: 'post',
    path: '/api/ingest/v1/well-known',
    id: 'markWellKnown',
    summary: 'Mark an entity as well known: its reputation is never negative.',
    codes: ['publish_failed'],
    examples: { body: { type: 'cidr', attributes: { cidr: '198.51.100.0/24' }, covers: true } },
    audit: ahead('mark.set', null),
    tag: 'Ingest',
    access: 'trusted',
    scope: 'ingest',
    body: WellKnownBody,
    responses: { 202: Acknowledged },
    limit: { service: 'ingest-api', features: ['well_known_per_minute'] },
    handler: async ({ user, body }) => acknowledge(await ingest.markWellKnown(user, body)),
  }),
  route({
    method: 'delete',
    path: '/api/ingest/v1/well-known/{entityId}',
    id: 'clearWellKnown',
    summary:
      'Clear the well-known mark of an entity. Entities that only this mark covered can have a negative reputation again.',
    codes: ['not_found', 'publish_failed'],
    audit: ahead('mark.clear', { param: 'entityId' }),
    tag: 'Ingest',
    access: 'trusted',
    scope: 'ingest',
    permit: permitClearing,
    params: EntityIdParams,
    responses: { 202: Acknowledged },
    limit: { service: 'ingest-api', features: ['well_known_per_minute'] },
    handler: async ({ user, params }) => acknowledge(await clearMark(user, params.entityId)),
  }),
  route({
    method: 'post',
    path: '/api/ingest/v1/association',
    id: 'associateEntities',
    summary: 'Report a relation between two entities that the caller may read.',
    codes: ['not_found', 'publish_failed'],
    examples: {
      body: { entityID: IP_ID, relatedEntityID: DOMAIN_ID, mode: 'association', relationship: 'resolves-to' },
    },
    audit: notAudited(REPORT),
    tag: 'Ingest',
    access: 'reporter',
    scope: 'ingest',
    body: AssociationBody,
    responses: { 202: Acknowledged },
    limit: { service: 'ingest-api', features: ['entity_per_minute'] },
    handler: async ({ user, body }) => acknowledge(await associate(user, body)),
  }),
  route({
    method: 'get',
    path: '/api/ingest/v1/definitions',
    id: 'listDefinitions',
    summary: 'List the entity types with their usual attributes.',
    examples: {
      answers: {
        200: [
          {
            type: 'ip',
            description: 'An IPv4 or IPv6 address.',
            attributes: ['country', 'asn', 'aso'],
            label: 'IP address',
            dataType: 'ip',
          },
        ],
      },
    },
    tag: 'Ingest',
    access: 'reporter',
    scope: 'ingest',
    responses: { 200: DefinitionList },
    limit: { service: 'ingest-api', features: ['definitions_per_minute'] },
    handler: () => reply(200, DEFINITIONS),
  }),
]

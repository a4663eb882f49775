import Type from 'typebox'
import { definitions } from '../entities/catalogue.ts'
import { ENTITY_ID } from '../entities/id.ts'
import { MAX_GROUPS } from '../observations/audience.ts'
import { MAX_RELATIONSHIP, RELATIONSHIP } from '../observations/relationship.ts'
import { MAX_ENTITIES } from './expand.ts'
import { MAX_TAGS } from './tags.ts'

/** Shapes of the ingest bodies: they validate the request and stand in the API document (specification 2.2, 2.3). */

const CLOSED = { additionalProperties: false }

const TYPES = definitions().length

const EntityType = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Entity type, such as ip or domain.',
})

const Attributes = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  maxProperties: TYPES,
  description:
    'Values by attribute name. Attribute names are the types of the catalogue; the attribute with the name of the entity type is required.',
})

const visibleBy = (description: string) =>
  Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: MAX_GROUPS }), Type.Null()], { description }))

const LinkMode = Type.Enum(['aggregation', 'association'], {
  description: 'aggregation: the associated entity is a component of the main one; association: any other relation.',
})

const Relationship = Type.Optional(
  Type.Union([Type.String({ pattern: RELATIONSHIP, minLength: 1, maxLength: MAX_RELATIONSHIP }), Type.Null()], {
    description:
      'Relationship type, as in STIX 2.1: lower-case ASCII letters, digits and hyphens, such as resolves-to. ' +
      'null or absent: none is stated.',
  }),
)

/** One associated entity, with its own associations: at most 10 levels below the root. */
export const Association = Type.Cyclic(
  {
    Association: Type.Object(
      {
        mode: LinkMode,
        type: EntityType,
        attributes: Attributes,
        relationship: Relationship,
        associations: Type.Optional(Type.Array(Type.Ref('Association'), { maxItems: MAX_ENTITIES })),
      },
      CLOSED,
    ),
  },
  'Association',
)

/** Body of POST /api/ingest/v1/entity. */
export const EntityBody = Type.Object(
  {
    type: EntityType,
    attributes: Attributes,
    associations: Type.Optional(
      Type.Array(Association, { maxItems: MAX_ENTITIES, description: 'Entities related to this one.' }),
    ),
    reputation: Type.Optional(
      Type.Union([Type.Integer({ minimum: -3, maximum: 3 }), Type.Null()], {
        description: 'Reported reputation, -3 (worst) to 3 (best). Without a reputation the submission is a sighting.',
      }),
    ),
    correlate: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: TYPES,
        description: 'Names of attributes from which additional, associated entities are created.',
      }),
    ),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_TAGS, description: 'Case-insensitive.' })),
    visibleBy: visibleBy("Groups that may read the entity. Default: all of the submitter's groups."),
  },
  CLOSED,
)

/** Body of POST /api/ingest/v1/well-known. */
export const WellKnownBody = Type.Object(
  {
    type: EntityType,
    attributes: Attributes,
    covers: Type.Optional(
      Type.Boolean({
        description:
          'Whether the mark also applies to the entities inside: addresses and networks of a cidr (default true), ' +
          'names below a domain and their URLs (default false). Other types: false.',
      }),
    ),
  },
  CLOSED,
)

const KnownEntity = (description: string) => Type.String({ pattern: ENTITY_ID, maxLength: 129, description })

/** Body of POST /api/ingest/v1/association; without a mode it is an association. */
export const AssociationBody = Type.Object(
  {
    entityID: KnownEntity('Id of the entity at which the relation is reported.'),
    relatedEntityID: KnownEntity('Id of the entity that it is related to.'),
    mode: Type.Optional(LinkMode),
    relationship: Relationship,
    visibleBy: visibleBy(
      "Groups that may read the relation; each must already be able to read both entities. Default: the submitter's groups that can read both.",
    ),
  },
  CLOSED,
)

/** Answer of GET /api/ingest/v1/definitions: one entry per type of the catalogue (specification 2.4). */
export const DefinitionList = Type.Array(
  Type.Object(
    {
      type: Type.String(),
      description: Type.String(),
      attributes: Type.Array(Type.String(), { description: 'Names of the usual attributes of the type.' }),
      label: Type.String(),
      dataType: Type.String({ description: 'Datatype, which determines how values are validated and normalised.' }),
    },
    CLOSED,
  ),
)

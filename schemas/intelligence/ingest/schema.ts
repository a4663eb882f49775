import Type from 'typebox'
import { definitions } from '../entities/catalogue.ts'
import { ENTITY_ID } from '../entities/id.ts'
import { MAX_GROUPS } from '../observations/audience.ts'
import { MAX_ENTITIES } from './expand.ts'
import { MAX_TAGS } from './tags.ts'

/** Shapes of the ingest bodies: they validate the request and stand in the API document (specification 2.2, 2.3). */

const CLOSED = { additionalProperties: false }

const TYPES = definitions().length

const EntityType = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Type of the entity, such as ip or domain.',
})

const Attributes = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  maxProperties: TYPES,
  description:
    'Values by attribute name. Every type of the catalogue is a name; the one named as the entity type is required.',
})

const visibleBy = (description: string) =>
  Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: MAX_GROUPS }), Type.Null()], { description }))

const LinkMode = Type.Enum(['aggregation', 'association'], {
  description: 'aggregation: a component of the entity it stands in; association: any other relation.',
})

/** One associated entity, with its own associations: at most 10 levels below the root. */
export const Association = Type.Cyclic(
  {
    Association: Type.Object(
      {
        mode: LinkMode,
        type: EntityType,
        attributes: Attributes,
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
        description: 'Reported reputation, -3 (worst) to 3 (best). Without it the submission is a sighting.',
      }),
    ),
    correlate: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: TYPES,
        description: 'Names of attributes of this entity that become entities of their own.',
      }),
    ),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_TAGS, description: 'Compared without case.' })),
    visibleBy: visibleBy("Groups that may see the entity. Default: all of the submitter's groups."),
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
          'Whether the mark holds for what lies under the entity too: addresses and networks of a cidr (default true), ' +
          'names below a domain and URLs there (default false). Other types: false.',
      }),
    ),
  },
  CLOSED,
)

const KnownEntity = (description: string) => Type.String({ pattern: ENTITY_ID, maxLength: 129, description })

/** Body of POST /api/ingest/v1/association; without a mode it is an association. */
export const AssociationBody = Type.Object(
  {
    entityID: KnownEntity('Id of the entity that the relation is stated of.'),
    relatedEntityID: KnownEntity('Id of the entity that it is related to.'),
    mode: Type.Optional(LinkMode),
    visibleBy: visibleBy(
      "Groups that may see the relation; each has to see both entities already. Default: those of the submitter's groups that do.",
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
      attributes: Type.Array(Type.String(), { description: 'Names of the attributes that the type usually carries.' }),
      label: Type.String(),
      dataType: Type.String({ description: 'Decides how values of the type are checked and normalised.' }),
    },
    CLOSED,
  ),
)

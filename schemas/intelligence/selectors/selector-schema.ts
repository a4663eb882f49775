import Type from 'typebox'
import { MAX_TAGS } from '../ingest/tags.ts'
import { MAX_LISTED, MAX_VALUES } from './selector.ts'

const some = <T extends Parameters<typeof Type.Array>[0]>(item: T, most: number, description: string) =>
  Type.Array(item, { minItems: 1, maxItems: most, description })

const oneOrSome = <T extends Parameters<typeof Type.Array>[0]>(item: T, description: string) =>
  Type.Union([item, Type.Array(item, { minItems: 1, maxItems: MAX_LISTED })], { description })

const bounds = (minimum: number, maximum: number, description: string) =>
  Type.Object(
    { gte: Type.Optional(Type.Integer({ minimum, maximum })), lte: Type.Optional(Type.Integer({ minimum, maximum })) },
    { additionalProperties: false, minProperties: 1, description },
  )

/** The selector of a body in the document of the API (decisions 10.3); `readSelector` says all that is wrong with one. */
export const SelectorBody = Type.Object(
  {
    types: Type.Optional(some(Type.String(), MAX_LISTED, 'entity types, any of them')),
    reputation: Type.Optional(bounds(-3, 3, 'both ends included')),
    accuracy: Type.Optional(bounds(0, 3, 'both ends included')),
    tags: Type.Optional(
      Type.Object(
        {
          any: Type.Optional(some(Type.String(), MAX_TAGS, 'one of these')),
          all: Type.Optional(some(Type.String(), MAX_TAGS, 'each of these')),
          none: Type.Optional(some(Type.String(), MAX_TAGS, 'none of these')),
        },
        { additionalProperties: false, minProperties: 1, description: 'compared in lower case' },
      ),
    ),
    value: Type.Optional(
      Type.Object(
        {
          in: Type.Optional(some(Type.String(), MAX_VALUES, 'the main value is one of these, in normal form')),
          prefix: Type.Optional(Type.String({ description: 'the main value begins with it, in normal form' })),
          suffix: Type.Optional(
            Type.String({
              description:
                'a domain name: it and the names below it, of domains, hostnames, hosts of URLs and email addresses',
            }),
          ),
        },
        { additionalProperties: false, minProperties: 1, description: 'all given members must hold' },
      ),
    ),
    cidr: Type.Optional(oneOrSome(Type.String(), 'networks: addresses and networks inside one of them')),
    country: Type.Optional(oneOrSome(Type.String(), 'English names of countries, or two-letter codes')),
    asn: Type.Optional(
      oneOrSome(Type.Union([Type.Integer(), Type.String()]), 'numbers of autonomous systems: 15169 or "AS15169"'),
    ),
    seenWithin: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,4}[hd]$', description: 'last seen within this time: 1h to 3650d' }),
    ),
    wellKnown: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('any')], {
        description: 'false: no entity that is well known or covered by a well-known one; true: only these; any: both',
        default: false,
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'a condition on an entity as its reader sees it: all members must hold',
  },
)

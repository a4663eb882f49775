/** Fields that several bodies have. */

import { Type } from 'typebox'

/** Of a body: what is not declared is refused. */
export const CLOSED = { additionalProperties: false }

/** PostgreSQL text holds no NUL, and no name has a reason for any other control character. */
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$'

/** Of an entity that its own routes alone still show (decisions 17.3). */
export const retracted = Type.Optional(
  Type.Boolean({
    description: 'true: every report that the caller may read was retracted; searches and feeds leave the entity out',
  }),
)

/** One line of text. */
export const text = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength, pattern: PRINTABLE })

/** One plain address: quoted names, which may hold anything, cannot be written to. */
export const email = Type.String({
  format: 'email',
  maxLength: 254,
  pattern: "^[!#$%&'*+\\-./0-9=?A-Z^_`a-z{|}~]+@[0-9A-Za-z.-]+$",
})

export const uuid = Type.String({ format: 'uuid' })

/** Where a browser may be sent. */
export const PageUrl = Type.String({ format: 'uri', pattern: '^https?://[^\\s]+$', maxLength: 2048 })

/** `{id}` of a path. */
export const idParam = Type.Object({ id: uuid })

/** Longest id: every type of the catalogue is shorter than 64 characters. */
export const entityId = Type.String({
  maxLength: 129,
  pattern: '^[a-z0-9-]{1,64}-[0-9a-f]{64}$',
  description: '`<type>-<64 hexadecimal digits>`',
})

/** `{id}` of a path that names an entity. */
export const entityIdParam = Type.Object({ id: entityId })

export const unixSeconds = Type.Integer({ description: 'Unix seconds.' })

/** Unix milliseconds -> Unix seconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000)

/** The answer of an operation without a result. */
export const acknowledgement = { message: Type.String({ description: '`acknowledged`' }) }
export const Acknowledged = Type.Object(acknowledgement)
export const ACKNOWLEDGED = { message: 'acknowledged' }

/** `page` and `limit` of a list. */
export const paging = Type.Object({
  page: Type.Integer({ default: 1, minimum: 1, maximum: 1_000_000_000 }),
  limit: Type.Integer({ default: 10, minimum: 1, maximum: 100 }),
})

/** Pages of that many items. */
export const pagesOf = (items: number, limit: number): number => Math.ceil(items / limit)

/** The networks that an address lies in, as the caller may know them; most specific first. */
export const CoveredBy = Type.Array(
  Type.Object({
    id: Type.String({ description: 'entity id of the network' }),
    value: Type.String({ description: 'the network, such as 203.0.113.0/24' }),
    reputation: Type.Integer(),
    accuracy: Type.Integer(),
    wellKnown: Type.Boolean(),
    tags: Type.Array(Type.String()),
    lastSeen: Type.String({ format: 'date-time' }),
  }),
  { description: 'known networks that contain the address, most specific first' },
)

/** Fields that several account routes share. */

import { Type } from 'typebox'

export const CLOSED = { additionalProperties: false }

/** PostgreSQL text holds no NUL, and no name has a reason for any other control character. */
export const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$'

export const name = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength, pattern: PRINTABLE })

/** One plain address: quoted names, which may hold anything, cannot be written to. */
export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  pattern: "^[!#$%&'*+\\-./0-9=?A-Z^_`a-z{|}~]+@[0-9A-Za-z.-]+$",
})

export const IdParam = Type.Object({ id: Type.String({ format: 'uuid' }) })

export const Uuid = Type.String({ format: 'uuid' })

export const UnixSeconds = Type.Integer({ description: 'Unix seconds.' })

/** Unix milliseconds -> Unix seconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000)

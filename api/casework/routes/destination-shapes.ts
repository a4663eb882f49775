/** Destinations of alerts and their deliveries, as callers see them (decisions 13.3). */

import { Type } from 'typebox'
import type { Delivery, Destination } from '../../../connectors/postgres/casework/deliveries/port.ts'
import { DESTINATION_KINDS, DIGESTS, MAX_NAMED_WATCHLISTS } from '../../../schemas/casework/deliveries/destination.ts'
import { CLOSED, email, text, uuid } from '../../http/fields/common.ts'
import { OTHER_UUID, UUID } from '../../http/fields/examples.ts'
import type { JsonObject } from '../../http/fields/json.ts'
import { iso, moment } from './casework-shapes.ts'

export const ALERTS = '/api/alerts/v1'
export const DESTINATIONS = `${ALERTS}/destinations`

const watchlists = Type.Union([Type.Array(uuid, { minItems: 1, maxItems: MAX_NAMED_WATCHLISTS }), Type.Null()], {
  description: 'ids of watchlists of the caller; null: all',
})

const optional = {
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'https; for the kinds `webhook`, `slack` and `teams`',
    }),
  ),
  email: Type.Optional(Type.Unsafe<string>({ ...email, description: 'for the kind `email`' })),
  watchlists: Type.Optional(watchlists),
  digest: Type.Optional(
    Type.Enum([...DIGESTS], { description: 'alerts are collected until the next full hour or day, in UTC' }),
  ),
  publicOnly: Type.Optional(
    Type.Boolean({ description: 'true: alerts are decided by, and contain, only data that everybody may read' }),
  ),
}

export const NewDestination = Type.Object(
  { name: text(1, 200), kind: Type.Enum([...DESTINATION_KINDS]), ...optional },
  CLOSED,
)

export const ChangedDestination = Type.Object(
  { name: Type.Optional(text(1, 200)), ...optional },
  { ...CLOSED, minProperties: 1, description: 'fields that are not given stay unchanged' },
)

const shown = {
  id: uuid,
  name: Type.String(),
  kind: Type.Enum([...DESTINATION_KINDS]),
  url: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  watchlists: Type.Optional(Type.Array(uuid, { description: 'absent: all watchlists' })),
  digest: Type.Enum([...DIGESTS]),
  publicOnly: Type.Boolean(),
  confirmedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'of mail: when the address was confirmed' }),
  ),
  createdAt: moment,
  updatedAt: moment,
}

export const DestinationAnswer = Type.Object(shown)

const secret = Type.String({ description: '`whsec_` and 32 bytes in base64; shown in this answer only' })

export const MadeDestination = Type.Object({ ...shown, secret })

export const NewSecret = Type.Object({ secret })

export const ConfirmBody = Type.Object({ code: Type.String({ pattern: '^\\d{6}$' }) }, CLOSED)

export const TestAnswer = Type.Object({
  delivered: Type.Boolean(),
  error: Type.Union([Type.String(), Type.Null()], { description: 'why it was not delivered' }),
})

export const DeliveriesAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      id: uuid,
      alertID: uuid,
      state: Type.Enum(['pending', 'retrying', 'delivered', 'dead', 'skipped']),
      attempts: Type.Integer(),
      nextAt: Type.Union([moment, Type.Null()], { description: 'time of the next attempt; null: there is none' }),
      lastError: Type.Union([Type.String(), Type.Null()]),
      note: Type.Optional(Type.String({ description: 'why it was skipped, or that later alerts were sent before it' })),
      digestID: Type.Optional(Type.String({ description: '`webhook-id` of the digest that carries the alert' })),
      createdAt: moment,
    }),
    { description: 'newest first' },
  ),
  next: Type.Optional(Type.String({ format: 'uuid', description: 'absent on the last page' })),
})

/** Examples of a destination, and of a delivery to one. */
export const DESTINATION_WORDS: JsonObject = {
  name: 'SOC on-call',
  kind: 'webhook',
  url: 'https://hooks.example.com/harrier',
  watchlists: [UUID],
  digest: 'none',
  publicOnly: false,
  secret: 'whsec_a-secret-that-is-shown-once',
  confirmedAt: '2026-03-01T12:00:00.000Z',
  items: [],
}

export const DELIVERY_WORDS: JsonObject = {
  alertID: OTHER_UUID,
  state: 'retrying',
  attempts: 3,
  nextAt: '2026-03-01T12:02:35.000Z',
  lastError: 'the receiver answered with status 503',
  note: 'later alerts are sent before it: it failed 3 times',
  digestID: 'f'.repeat(64),
  next: UUID,
}

export const showDestination = (given: Destination) => ({
  id: given.id,
  name: given.name,
  kind: given.kind,
  ...(given.url === null ? {} : { url: given.url }),
  ...(given.email === null ? {} : { email: given.email }),
  ...(given.watchlists === null ? {} : { watchlists: [...given.watchlists] }),
  digest: given.digest,
  publicOnly: given.publicOnly,
  ...(given.confirmedAt === null ? {} : { confirmedAt: iso(given.confirmedAt) }),
  createdAt: iso(given.createdAt),
  updatedAt: iso(given.updatedAt),
})

export const showDelivery = (given: Delivery) => ({
  id: given.id,
  alertID: given.alertId,
  state: given.state,
  attempts: given.attempts,
  nextAt: given.nextAt === null ? null : iso(given.nextAt),
  lastError: given.lastError,
  ...(given.note === null ? {} : { note: given.note }),
  ...(given.digestId === null ? {} : { digestID: given.digestId }),
  createdAt: iso(given.createdAt),
})

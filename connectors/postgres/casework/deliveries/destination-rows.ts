/** Rows of destinations <-> records of the port. */

import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import {
  DESTINATION_KINDS,
  type DestinationKind,
  DIGESTS,
  type Digest,
  type Receiver,
} from '../../../../schemas/casework/deliveries/destination.ts'
import type { Owner } from '../../../../schemas/casework/owner.ts'
import type { Tables } from '../../tables/all-tables.ts'
import type { DeliveryTables } from '../../tables/deliveries-tables.ts'
import type { DestinationTables } from '../../tables/destinations-tables.ts'
import type { Destination, DestinationChange, NewDestination } from './port.ts'

type Rows = DestinationTables['alert_destinations']
type Queues = DeliveryTables['delivery_queues']

export const destinationsOf = (db: Kysely<Tables>, { customerId, userId }: Owner) =>
  db.selectFrom('alert_destinations').where('user_id', '=', userId).where('customer_id', '=', customerId)

/** The one destination of its owner. */
export const destinationAt = (db: Kysely<Tables>, owner: Owner, id: string) =>
  destinationsOf(db, owner).where('alert_destinations.id', '=', id)

/** The columns of a `Destination`. */
export const SHOWN = [
  'alert_destinations.id',
  'customer_id',
  'user_id',
  'name',
  'kind',
  'url',
  'email',
  'watchlists',
  'digest',
  'public_only',
  'confirmed_at',
  'alert_destinations.created_at',
  'updated_at',
] as const

export const destinationRow = (given: NewDestination): Insertable<Rows> => ({
  id: given.id,
  customer_id: given.owner.customerId,
  user_id: given.owner.userId,
  name: given.name,
  kind: given.kind,
  url: given.url,
  email: given.email,
  watchlists: given.watchlists === null ? null : [...given.watchlists],
  digest: given.digest,
  public_only: given.publicOnly,
  secret: given.secret,
  confirmed_at: given.confirmedAt === null ? null : new Date(given.confirmedAt),
  created_at: new Date(given.createdAt),
  updated_at: new Date(given.updatedAt),
})

export const queueRow = ({ id, url }: NewDestination): Insertable<Queues> => ({
  id,
  kind: 'alert',
  host: hostColumn(url),
})

/** What a change sets of the queue: another rhythm is looked at anew. null: nothing. */
export function changedQueue({ url, digest, at }: DestinationChange): Updateable<Queues> | null {
  if (url === undefined && digest === undefined) return null
  return {
    ...(url === undefined ? {} : { host: hostColumn(url) }),
    ...(digest === undefined ? {} : { gather_until: null, storms: 0, due_at: new Date(at) }),
  }
}

/** What a change sets of the destination: another address has to be confirmed. */
export const changedColumns = ({ name, url, email, watchlists, digest, publicOnly, at }: DestinationChange) => ({
  ...(name === undefined ? {} : { name }),
  ...(url === undefined ? {} : { url }),
  ...(email === undefined ? {} : { email, confirmed_at: null, code_id: null }),
  ...(watchlists === undefined ? {} : { watchlists: watchlists === null ? null : [...watchlists] }),
  ...(digest === undefined ? {} : { digest }),
  ...(publicOnly === undefined ? {} : { public_only: publicOnly }),
  updated_at: new Date(at),
})

/** Tries to one host are bounded; mails all go to one server, which bounds itself. */
const hostColumn = (url: string | null): string => (url === null ? '' : new URL(url).host)

type Shown = Pick<
  Selectable<Rows>,
  | 'id'
  | 'customer_id'
  | 'user_id'
  | 'name'
  | 'kind'
  | 'url'
  | 'email'
  | 'watchlists'
  | 'digest'
  | 'public_only'
  | 'confirmed_at'
  | 'created_at'
  | 'updated_at'
>

export const destinationOf = (row: Shown): Destination => ({
  id: row.id,
  owner: { customerId: row.customer_id, userId: row.user_id },
  name: row.name,
  kind: known<DestinationKind>(DESTINATION_KINDS, row.kind),
  url: row.url,
  email: row.email,
  watchlists: row.watchlists,
  digest: known<Digest>(DIGESTS, row.digest),
  publicOnly: row.public_only,
  confirmedAt: row.confirmed_at?.getTime() ?? null,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})

export const receiverOf = (row: Pick<Shown, 'kind' | 'url' | 'email'> & { secret: string }): Receiver => ({
  kind: known<DestinationKind>(DESTINATION_KINDS, row.kind),
  url: row.url,
  email: row.email,
  secret: row.secret,
})

/** A word that a newer version stored must not pass for one that we know. Throws. */
function known<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((one) => one === text)
  if (word === undefined) throw new RangeError(`unknown word of a destination: ${text}`)
  return word
}

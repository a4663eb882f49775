/** The fields of a destination, and what is sent for them (decisions 13.3). */

import type { paths } from '../../../api/schema.d.ts'

const LIST = '/api/alerts/v1/destinations'
export type Destination = paths[typeof LIST]['get']['responses'][200]['content']['application/json']['items'][number]
export type NewDestination = paths[typeof LIST]['post']['requestBody']['content']['application/json']
export type DestinationChange = NonNullable<
  paths[`${typeof LIST}/{id}`]['patch']['requestBody']
>['content']['application/json']
export type DestinationKind = Destination['kind']
export type Delivery =
  paths[`${typeof LIST}/{id}/deliveries`]['get']['responses'][200]['content']['application/json']['items'][number]

export const KINDS: Readonly<Record<DestinationKind, { label: string; address: string; hint: string }>> = {
  webhook: {
    label: 'Webhook',
    address: 'URL',
    hint: 'https; signed, so that the receiver can verify the sender',
  },
  slack: { label: 'Slack', address: 'URL', hint: 'the incoming webhook of a channel' },
  teams: { label: 'Teams', address: 'URL', hint: 'the URL of a workflow that takes webhooks' },
  email: { label: 'Email', address: 'Email address', hint: 'we mail a code to confirm the address' },
}

export const DIGESTS: Readonly<Record<Destination['digest'], string>> = {
  none: 'each alert separately',
  hourly: 'one message per hour',
  daily: 'one message per day (UTC)',
}

export const STATES: Readonly<Record<Delivery['state'], { label: string; sign: string }>> = {
  pending: { label: 'waiting', sign: '…' },
  retrying: { label: 'trying again', sign: '↻' },
  delivered: { label: 'delivered', sign: '✓' },
  dead: { label: 'given up', sign: '✗' },
  skipped: { label: 'skipped', sign: '–' },
}

/** Only what failed, or was skipped, can be tried again. */
export const mayRetry = ({ state }: Pick<Delivery, 'state'>): boolean => state !== 'delivered' && state !== 'pending'

/** `address`: the URL, or the email address. `watchlists`: none means all. */
export type DestinationFields = {
  name: string
  kind: DestinationKind
  address: string
  watchlists: string[]
  digest: Destination['digest']
  publicOnly: boolean
}

export const NO_DESTINATION: DestinationFields = {
  name: '',
  kind: 'webhook',
  address: '',
  watchlists: [],
  digest: 'none',
  publicOnly: false,
}

export const fieldsOf = (given: Destination): DestinationFields => ({
  name: given.name,
  kind: given.kind,
  address: given.url ?? given.email ?? '',
  watchlists: given.watchlists ?? [],
  digest: given.digest,
  publicOnly: given.publicOnly,
})

const placeOf = ({ kind, address }: DestinationFields) =>
  kind === 'email' ? { email: address.trim() } : { url: address.trim() }

/** The body of a new destination. */
export const bodyOf = (fields: DestinationFields): NewDestination => ({
  name: fields.name.trim(),
  kind: fields.kind,
  ...placeOf(fields),
  ...(fields.watchlists.length === 0 ? {} : { watchlists: fields.watchlists }),
  digest: fields.digest,
  publicOnly: fields.publicOnly,
})

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one))

/** What differs from the destination as it was; null: nothing. An address that stays is not sent: mail would be confirmed anew. */
export function changesOf(before: Destination, fields: DestinationFields): DestinationChange | null {
  const was = fieldsOf(before)
  const change = {
    ...(fields.name.trim() === was.name ? {} : { name: fields.name.trim() }),
    ...(fields.address.trim() === was.address ? {} : placeOf(fields)),
    ...(same(fields.watchlists, was.watchlists)
      ? {}
      : { watchlists: fields.watchlists.length === 0 ? null : fields.watchlists }),
    ...(fields.digest === was.digest ? {} : { digest: fields.digest }),
    ...(fields.publicOnly === was.publicOnly ? {} : { publicOnly: fields.publicOnly }),
  }
  return Object.keys(change).length === 0 ? null : change
}

/** Whether nothing is sent until the mailed code was entered. */
export const isUnconfirmed = ({ kind, confirmedAt }: Pick<Destination, 'kind' | 'confirmedAt'>): boolean =>
  kind === 'email' && confirmedAt === undefined

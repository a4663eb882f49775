import type { Json, JsonObject } from '../json.ts'
import { OTHER_UUID, UUID } from '../words.ts'
import type { References } from './reference.ts'

const alerts = '/api/alerts/v1'
const destinations = `${alerts}/destinations`

const words: JsonObject = {
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

const body: Json = {
  name: 'SOC on-call',
  kind: 'webhook',
  url: 'https://hooks.example.com/harrier',
  digest: 'none',
}

const delivery: JsonObject = {
  alertID: OTHER_UUID,
  state: 'retrying',
  attempts: 3,
  nextAt: '2026-03-01T12:02:35.000Z',
  lastError: 'the receiver answered with status 503',
  note: 'later alerts are sent before it: it failed 3 times',
  digestID: 'f'.repeat(64),
  next: UUID,
}

const retry = (id: string) => ({ id, codes: ['not_found', 'conflict'] as const })

/** Operations of the destinations of alerts. */
export const alertsReference: References = {
  [`post ${destinations}`]: {
    id: 'createAlertDestination',
    codes: ['not_found', 'quota_exceeded', 'rate_limited'],
    body,
    words,
  },
  [`get ${destinations}`]: { id: 'listAlertDestinations', words },
  [`get ${destinations}/{id}`]: { id: 'getAlertDestination', codes: ['not_found'], words },
  [`patch ${destinations}/{id}`]: {
    id: 'changeAlertDestination',
    codes: ['not_found', 'rate_limited'],
    body: { digest: 'hourly' },
    words,
  },
  [`delete ${destinations}/{id}`]: { id: 'deleteAlertDestination', codes: ['not_found'] },
  [`post ${destinations}/{id}/test`]: {
    id: 'testAlertDestination',
    codes: ['not_found', 'conflict', 'rate_limited'],
    words: { delivered: false, error: 'the receiver answered with status 503' },
  },
  [`post ${destinations}/{id}/secret`]: { id: 'renewAlertDestinationSecret', codes: ['not_found'], words },
  [`post ${destinations}/{id}/confirm`]: { id: 'confirmAlertDestination', codes: ['not_found'], words },
  [`get ${destinations}/{id}/deliveries`]: { id: 'listAlertDeliveries', codes: ['not_found'], words: delivery },
  [`post ${alerts}/deliveries/{id}/retry`]: retry('retryAlertDelivery'),
  [`post ${destinations}/deliveries/{id}/retry`]: retry('retryAlertDeliveryById'),
}

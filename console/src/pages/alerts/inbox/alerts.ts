/** What the inbox shows of alerts (decisions 13.2). */

import type { paths } from '../../../api/schema.d.ts'
import { ITEM_KINDS } from '../../../parts/watch/watchlists.ts'

type AlertsRoute = paths['/api/casework/v1/alerts']['get']
export type AlertPage = AlertsRoute['responses'][200]['content']['application/json']
export type Alert = AlertPage['items'][number]

export const STATES = ['new', 'handled', 'assigned'] as const
export type AlertState = (typeof STATES)[number]

export const STATE_WORDS: Readonly<Record<AlertState, { label: string; sign: string }>> = {
  new: { label: 'New', sign: '●' },
  handled: { label: 'Handled', sign: '✓' },
  assigned: { label: 'Assigned', sign: '→' },
}

/** The platform leaves the usual state out. */
export const stateOf = ({ state }: Pick<Alert, 'state'>): AlertState => state ?? 'new'

/** The moment up to which the shown alerts are marked as read: what comes meanwhile stays unread. null: there is none. */
export const newestOf = (alerts: readonly Pick<Alert, 'lastAt'>[]): string | null =>
  alerts.reduce<string | null>(
    (newest, { lastAt }) => (newest === null || Date.parse(lastAt) > Date.parse(newest) ? lastAt : newest),
    null,
  )

/** `Tag: botnet` */
export const matchText = ({ matchedKind, matchedOn }: Pick<Alert, 'matchedKind' | 'matchedOn'>): string =>
  `${ITEM_KINDS[matchedKind].label}: ${matchedOn}`

/** The columns of the export. */
export const EXPORT_COLUMNS = [
  'time',
  'last_time',
  'count',
  'entity_id',
  'entity_type',
  'entity_value',
  'reputation',
  'matched_kind',
  'matched_on',
  'watchlist',
  'state',
  'assignee',
  'note',
  'withdrawn',
  'unread',
] as const

/** The alerts that are shown, one row each. */
export const exportRows = (alerts: readonly Alert[], nameOf: (watchlistID: string) => string): (string | number)[][] =>
  alerts.map((alert) => [
    alert['@timestamp'],
    alert.lastAt,
    alert.count,
    alert.entityID,
    alert.entityType,
    alert.entityValue,
    alert.reputation,
    alert.matchedKind,
    alert.matchedOn,
    nameOf(alert.watchlistID),
    stateOf(alert),
    alert.assignee ?? '',
    alert.note ?? '',
    alert.withdrawnAt ?? '',
    alert.unread ? 'yes' : 'no',
  ])

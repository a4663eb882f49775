/** Casework, feeds, scans, verdicts, telemetry and the operation of the platform. */

import { type Actions, ahead, change, read } from '../action.ts'

const id = { param: 'id' }
const entity = { param: 'entityId' }
const CASEWORK = '/api/casework/v1'
const DESTINATIONS = '/api/alerts/v1/destinations'
const FEEDS = '/api/feeds/v1'
const ADMIN = '/api/admin/v1'
const TAXII = '/taxii2/harrier/collections/{id}'

/** Records of casework by what one of them is called. */
const RECORDS = { cases: 'case', watchlists: 'watchlist', conversations: 'conversation', searches: 'search' }

const recordActions = (kind: string, name: string): Actions => ({
  [`post ${CASEWORK}/${kind}`]: change(`${name}.make`, 'casework_records', 'made'),
  [`put ${CASEWORK}/${kind}/{id}`]: change(`${name}.change`, 'casework_records', id),
  [`patch ${CASEWORK}/${kind}/{id}`]: change(`${name}.change`, 'casework_records', id),
  [`delete ${CASEWORK}/${kind}/{id}`]: change(`${name}.delete`, 'casework_records', id),
})

const CASES: Actions = {
  ...Object.assign({}, ...Object.entries(RECORDS).map(([kind, name]) => recordActions(kind, name))),
  [`post ${CASEWORK}/cases/{id}/notes`]: change('case.note', 'casework_entries', id),
  [`post ${CASEWORK}/cases/{id}/entities`]: change('case.pin', 'casework_entries', id),
  [`post ${CASEWORK}/watchlists/{id}/items`]: change('watchlist.add', 'casework_entries', id),
  [`post ${CASEWORK}/conversations/{id}/messages`]: change('conversation.add', 'casework_entries', id),
  [`post ${CASEWORK}/conversations/{id}/turns`]: change('conversation.add', 'casework_entries', id),
  [`delete ${CASEWORK}/cases/{id}/notes/{itemId}`]: change('case.unnote', 'casework_entries', id),
  [`delete ${CASEWORK}/cases/{id}/entities/{entityId}`]: change('case.unpin', 'casework_entries', id),
  [`delete ${CASEWORK}/watchlists/{id}/items/{itemId}`]: change('watchlist.remove', 'casework_entries', id),
  [`post ${CASEWORK}/triage`]: change('triage.change', 'casework_triage', null),
  [`patch ${CASEWORK}/alerts/{id}`]: change('alert.change', 'casework_alerts', id),
}

const ALERTS: Actions = {
  [`post ${DESTINATIONS}`]: change('destination.make', 'alert_destinations', 'made'),
  [`patch ${DESTINATIONS}/{id}`]: change('destination.change', 'alert_destinations', id),
  [`delete ${DESTINATIONS}/{id}`]: change('destination.delete', 'alert_destinations', id),
  [`post ${DESTINATIONS}/{id}/test`]: change('destination.test', 'alert_destinations', id),
  [`post ${DESTINATIONS}/{id}/secret`]: change('destination.secret', 'alert_destinations', id),
  [`post ${DESTINATIONS}/{id}/confirm`]: change('destination.confirm', 'alert_destinations', id),
  'post /api/alerts/v1/deliveries/{id}/retry': change('delivery.retry', 'alert_deliveries', id),
  [`post ${DESTINATIONS}/deliveries/{id}/retry`]: change('delivery.retry', 'alert_deliveries', id),
}

const feed = { feed: 'id' }

const LISTS: Actions = {
  [`post ${FEEDS}/feeds`]: change('feed.make', 'feeds', 'made'),
  [`patch ${FEEDS}/feeds/{id}`]: change('feed.change', 'feeds', id),
  [`delete ${FEEDS}/feeds/{id}`]: change('feed.delete', 'feeds', id),
  // Orders to the job that keeps the lists, which the outbox takes in the transaction.
  [`post ${FEEDS}/feeds/{id}/hold`]: change('feed.hold', 'outbox', id),
  [`post ${FEEDS}/feeds/{id}/release`]: change('feed.release', 'outbox', id),
  [`post ${FEEDS}/feeds/{id}/tokens`]: change('token.make', 'feed_tokens', 'made'),
  [`delete ${FEEDS}/feeds/{id}/tokens/{tokenID}`]: change('token.delete', 'feed_tokens', { param: 'tokenID' }),
  [`get ${FEEDS}/feeds/{id}/items.{format}`]: read('feed.export', feed),
  [`get ${FEEDS}/feeds/{id}/delta`]: read('feed.export', feed),
  [`get ${FEEDS}/t/{token}/items.{format}`]: read('feed.export', feed),
  [`get ${FEEDS}/t/{token}/delta`]: read('feed.export', feed),
  [`get ${TAXII}/objects/`]: read('collection.export', id),
  [`get ${TAXII}/manifest/`]: read('collection.export', id),
  [`get ${TAXII}/objects/{objectId}/`]: read('collection.export', id),
  [`delete ${TAXII}/objects/{objectId}/`]: ahead('collection.retract', id),
  'get /api/live/v1/changes': read('changes.stream', null),
  'get /api/analytics/v1/live': read('changes.stream', null),
}

const INTELLIGENCE: Actions = {
  [`put ${CASEWORK}/verdicts/{entityId}`]: ahead('verdict.set', entity),
  [`delete ${CASEWORK}/verdicts/{entityId}`]: ahead('verdict.withdraw', entity),
  'post /api/ingest/v1/well-known': ahead('mark.set', null),
  'delete /api/ingest/v1/well-known/{entityId}': ahead('mark.clear', entity),
  'post /api/ingest/v1/comment': change('comment.make', 'comments', 'made'),
  'post /api/ingest/v1/scan': change('scan.request', 'scan_tasks', 'made'),
  'post /api/ingest/v1/admin/scans/{id}/retry': change('scan.retry', 'scan_tasks', id),
  'put /api/match/v1/settings': ahead('telemetry.settings', null),
}

const OPERATION: Actions = {
  [`post ${ADMIN}/breakers/{group}/close`]: ahead('breaker.close', null),
  [`post ${ADMIN}/demo`]: ahead('demo.load', null),
  [`post ${ADMIN}/retractions`]: ahead('feed.retract', null),
  [`post ${ADMIN}/dead-letters/drop`]: ahead('dead-letters.drop', null),
  [`post ${ADMIN}/dead-letters/replay`]: ahead('dead-letters.replay', null),
  [`get ${ADMIN}/audit`]: read('audit.read', null),
}

export const WORK_ACTIONS: Actions = { ...CASES, ...ALERTS, ...LISTS, ...INTELLIGENCE, ...OPERATION }

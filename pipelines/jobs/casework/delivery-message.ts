/** What a delivery says at the moment of its try: rights are asked again each time (decisions-2 13.3). */

import type { Begun, DeliveryQueue, StoredAlert } from '../../../connectors/postgres/destinations/port.ts'
import { type AlertItem, DIGEST_ALERTS, type Message } from '../../../schemas/casework/deliveries/message.ts'

/**
 * Of these alerts, those that the public view decides too, in its words: it is inside the item. In the order given.
 */
export type PublicAlerts = (alerts: readonly StoredAlert[]) => Promise<StoredAlert[]>

export type MessagePorts = {
  queue: Pick<DeliveryQueue, 'alerts' | 'countAlerts' | 'extend'>
  publicAlerts: PublicAlerts
  /** Unix milliseconds. */
  now: () => number
}

/** Alerts that are decided by the public view at once. */
const PAGE = 500

/** How long the lease is kept while the next page is decided, milliseconds. */
const PAGE_LEASE_MS = 30_000

/** Why nothing is sent for this user; null: it may be told. */
export function refusalFor({ user, destination }: Pick<Begun, 'user' | 'destination'>): string | null {
  if (user === null) return 'the user does not exist any more'
  if (user.disabled) return 'the user is disabled'
  if (user.customerId !== destination.owner.customerId) return 'the user is not a member of the customer any more'
  return user.roles.includes('user') ? null : 'the user does not have the role user any more'
}

/** The message, or why there is none. Rejects when a store fails. */
export async function messageOf(ports: MessagePorts, begun: Begun): Promise<Message | { skipped: string }> {
  const refusal = refusalFor(begun)
  if (refusal !== null) return { skipped: refusal }
  const { messageId: id, createdAt, destination } = begun
  const { alerts, count } = await readableAlerts(ports, begun)
  if (count === 0)
    return { skipped: destination.publicOnly ? 'the alert is not public' : 'the user may not read the alert any more' }
  if ('alertId' in begun.carries)
    return { type: 'alert.created', id, at: alerts[0]!.createdAt, alert: itemOf(alerts[0]!) }
  return { type: 'alerts.digest', id, at: createdAt, count, alerts: alerts.map(itemOf) }
}

/** The first alerts that may be told, and how many there are. */
async function readableAlerts(ports: MessagePorts, begun: Begun): Promise<{ alerts: StoredAlert[]; count: number }> {
  const { queue } = ports
  const groups = begun.user!.groups
  if (!begun.destination.publicOnly) {
    const { alerts } = await queue.alerts(begun, { groups, after: 0, limit: DIGEST_ALERTS })
    const single = 'alertId' in begun.carries
    return { alerts, count: single ? alerts.length : await queue.countAlerts(begun, groups) }
  }
  return publicOnes(ports, begun, groups)
}

/** The same, decided by the public view, page by page: as many pages as the delivery has. */
async function publicOnes(
  { queue, publicAlerts, now }: MessagePorts,
  begun: Begun,
  groups: readonly string[],
): Promise<{ alerts: StoredAlert[]; count: number }> {
  const alerts: StoredAlert[] = []
  let count = 0
  let after: number | null = 0
  while (after !== null) {
    const page: Awaited<ReturnType<DeliveryQueue['alerts']>> = await queue.alerts(begun, { groups, after, limit: PAGE })
    const told = await publicAlerts(page.alerts)
    count += told.length
    alerts.push(...told.slice(0, DIGEST_ALERTS - alerts.length))
    after = page.alerts.length < PAGE ? null : page.last
    // Lost: another process tells of them.
    if (after !== null && !(await queue.extend(begun, now() + PAGE_LEASE_MS))) return { alerts: [], count: 0 }
  }
  return { alerts, count }
}

export const itemOf = (alert: StoredAlert): AlertItem => ({
  id: alert.id,
  '@timestamp': iso(alert.createdAt),
  watchlistID: alert.watchlistId,
  itemID: alert.itemId,
  entityID: alert.entityId,
  entityType: alert.entityType,
  entityValue: alert.entityValue,
  reputation: alert.reputation,
  matchedKind: alert.matchedKind,
  matchedOn: alert.matchedOn,
  count: alert.count,
  lastAt: iso(alert.lastAt),
  ...(alert.withdrawnAt === null ? {} : { withdrawnAt: iso(alert.withdrawnAt) }),
})

const iso = (ms: number): string => new Date(ms).toISOString()

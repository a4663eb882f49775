/** What a delivery says at the moment of its try: rights are asked again each time (decisions-2 13.3). */

import type { Begun, DeliveryQueue, StoredAlert } from '../../../connectors/postgres/casework/deliveries/port.ts'
import { type AlertItem, DIGEST_ALERTS, type Message } from '../../../schemas/casework/deliveries/message.ts'

export type MessagePorts = {
  queue: Pick<DeliveryQueue, 'alerts' | 'countAlerts'>
}

/** Why nothing is sent for this user; null: it may be told. */
export function refusalFor({ user, destination }: Pick<Begun, 'user' | 'destination'>): string | null {
  if (user === null) return 'the user no longer exists'
  if (user.disabled) return 'the user is disabled'
  if (user.customerId !== destination.owner.customerId) return 'the user is no longer a member of the customer'
  return user.roles.includes('user') ? null : 'the user no longer has the role user'
}

/** The message, or why there is none. Rejects when a store fails. */
export async function messageOf({ queue }: MessagePorts, begun: Begun): Promise<Message | { skipped: string }> {
  const refusal = refusalFor(begun)
  if (refusal !== null) return { skipped: refusal }
  const { messageId: id, createdAt } = begun
  const { groups } = begun.user!
  const alerts = await queue.alerts(begun, groups, DIGEST_ALERTS)
  const [first] = alerts
  if (first === undefined) return { skipped: 'the alert was deleted, or its user may no longer read it' }
  if ('alertId' in begun.carries) return { type: 'alert.created', id, at: first.createdAt, alert: itemOf(first) }
  const count = await queue.countAlerts(begun, groups)
  return { type: 'alerts.digest', id, at: createdAt, count, alerts: alerts.map(itemOf) }
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

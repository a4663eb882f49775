/** What a delivery of alerts says at the moment of its try, and that it is sent: rights are asked again each time (decisions 13.3). */

import type { DeliveredAlerts } from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { Begun } from '../../../connectors/postgres/deliveries/port.ts'
import type { SendMessage } from '../../../connectors/receivers/port.ts'
import { alertItem, DIGEST_ALERTS, type Message } from '../../../schemas/casework/deliveries/message.ts'
import type { Send } from '../../runtime/leases/deliveries.ts'

/** Sends to destinations of every kind. */
export const sendAlerts =
  (alerts: DeliveredAlerts, send: SendMessage): Send<'alert'> =>
  async (begun, signal) => {
    const message = await messageOf(alerts, begun)
    return 'skipped' in message ? message : send(begun.receiver, message, signal)
  }

/** Why nothing is sent for this user; null: it may be told. */
function refusalFor({ user, destination }: Pick<Begun<'alert'>, 'user' | 'destination'>): string | null {
  if (user === null) return 'the user no longer exists'
  if (user.disabled) return 'the user is disabled'
  if (user.customerId !== destination.owner.customerId) return 'the user is no longer a member of the customer'
  return user.roles.includes('user') ? null : 'the user no longer has the role user'
}

/** The message, or why there is none. Rejects when a store fails. */
async function messageOf(stored: DeliveredAlerts, begun: Begun<'alert'>): Promise<Message | { skipped: string }> {
  const refusal = refusalFor(begun)
  if (refusal !== null) return { skipped: refusal }
  const { messageId: id, createdAt } = begun
  const { groups } = begun.user!
  const alerts = await stored.alerts(begun, groups, DIGEST_ALERTS)
  const [first] = alerts
  if (first === undefined) return { skipped: 'the alert was deleted, or its user may no longer read it' }
  if ('alertId' in begun.carries) return { type: 'alert.created', id, at: first.createdAt, alert: alertItem(first) }
  const count = await stored.countAlerts(begun, groups)
  return { type: 'alerts.digest', id, at: createdAt, count, alerts: alerts.map(alertItem) }
}

import { randomUUID } from 'node:crypto'
import { kyselyDeliveredAlerts } from '../../../connectors/postgres/casework/deliveries/delivery-contents.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyDeliveryQueue } from '../../../connectors/postgres/deliveries/delivery-queue.ts'
import { sendAlerts } from '../../../pipelines/jobs/casework/send-alerts.ts'
import { startDeliveries } from '../../../pipelines/runtime/leases/deliveries.ts'
import { openMailer } from '../open/mailer.ts'
import { openReceivers } from '../open/receivers.ts'
import type { FollowParts, RunningFollower } from './start.ts'

type DeliveryParts = Pick<FollowParts, 'config' | 'report' | 'logger'>

/** Delivers alerts until stopped; of several processes each destination is served by one at a time (ADR 280). */
export async function deliverAlerts(
  { config, report, logger }: DeliveryParts,
  { db, work }: AccountsDatabase,
): Promise<RunningFollower> {
  const closed = Promise.withResolvers<void>()
  const running = startDeliveries({
    kind: 'alert',
    queue: kyselyDeliveryQueue(db, 'alert'),
    work,
    send: sendAlerts(kyselyDeliveredAlerts(db), openReceivers(config, openMailer(config, logger))),
    now: Date.now,
    holder: randomUUID(),
    onTry: ({ receiver: { kind } }, outcome, seconds) => report({ delivery: { kind, outcome, seconds } }),
    onDead: ({ queue: destination, ...dead }) => {
      report({ deadDeliveries: 1 })
      logger.warn({ destination, ...dead }, 'a delivery of alerts failed permanently')
    },
    onFailure: (err) => logger.warn({ err }, 'cannot read or update deliveries of alerts; retrying'),
  })
  return {
    closed: closed.promise,
    async stop() {
      await running.stop()
      closed.resolve()
    },
  }
}

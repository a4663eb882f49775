import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { embeddedLog } from '../../../../connectors/log/embedded/log.ts'
import { embeddedDatabase } from '../../../../connectors/postgres/core/embedded/embedded-database.ts'
import { relayOnce } from '../../../../pipelines/jobs/accounts/outbox-relay.ts'
import { billingOver } from '../../../builders/accounts/billing.ts'
import { cause } from '../../../builders/lifecycle/events.ts'

/** Changes a subscription and relays its event, killed at the named moment: `<folder> <customer> <event> <when>`. */
const [folder, customer, event, when] = process.argv.slice(2) as [string, string, string, string]
const { db } = await embeddedDatabase({ folder: join(folder, 'accounts') })
const log = await embeddedLog({ folder: join(folder, 'log') })
const { outbox, ledger } = billingOver(db)
const die = (): Promise<void> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}

await ledger.set(customer, { tier: 'Pro', quantity: 7 }, cause({ id: event, now: Date.now() }))
await relayOnce({
  outbox,
  now: Date.now,
  holder: randomUUID(),
  log: {
    async send(batches) {
      if (when === 'before-send') await die()
      await log.send(batches)
      await die()
    },
  },
})

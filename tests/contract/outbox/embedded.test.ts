import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { embeddedLog } from '../../../connectors/log/embedded/log.ts'
import { embeddedDatabase } from '../../../connectors/postgres/core/embedded/embedded-database.ts'
import { relayOnce } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import { ACCOUNT_LIFECYCLE } from '../../../schemas/log/topics.ts'
import { billingOver, customerIn, eventIn } from '../../builders/accounts/billing.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const root = ownFolder('outbox')

const CHILD = fileURLToPath(new URL('./children/change.ts', import.meta.url))

const cases = [
  { when: 'before-send', name: 'between the commit and the send', found: 1 },
  { when: 'after-send', name: 'between the send and its mark', found: 2 },
]
for (const { when, name, found } of cases)
  test(`a process that is killed ${name} loses nothing`, async () => {
    const folder = join(root, 'accounts')
    const first = await embeddedDatabase({ folder })
    const { id } = await customerIn(first.db)
    await first.close()
    const log = await embeddedLog({ folder: join(root, 'log') })
    await log.createTopics([{ name: ACCOUNT_LIFECYCLE, partitions: 1, cleanup: 'delete', retentionMs: null }])
    const [{ high: from } = { high: 0 }] = await log.offsets(ACCOUNT_LIFECYCLE)

    const eventId = randomUUID()
    const child = spawn(process.execPath, [CHILD, root, id, eventId, when], { stdio: 'inherit' })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])

    const again = await embeddedDatabase({ folder })
    const { outbox } = billingOver(again.db)
    // The turn of the killed relay is over.
    const ports = { outbox, log, holder: randomUUID(), now: () => Date.now() + 60_000 }
    expect(await relayOnce(ports)).toBe(1)
    expect(await relayOnce(ports)).toBe(0)
    await outbox.leave(ports.holder)
    const events = (await log.read(ACCOUNT_LIFECYCLE, 0, from, from + 10, 10)).map(({ value }) => eventIn(value))
    expect(events.map((event) => [event.id, event.data.quantity])).toEqual(Array(found).fill([eventId, 7]))
    await again.close()
    await log.close()
  }, 120_000)

/** Webhooks that wait in the data folder are sent by whoever starts the platform over it. */

import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { embeddedDatabase } from '../../../connectors/postgres/database/embedded.ts'
import { kyselyDeliveries } from '../../../connectors/postgres/webhooks/kysely.ts'
import { receiver } from '../../builders/network/receiver.ts'
import { metricsOf } from '../../builders/platform/metrics.ts'
import { eventually, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { delivery, enqueue, SECRET, verify } from '../../builders/scans/webhooks.ts'

const dataDir = temporaryFolder()
afterAll(() => remove(dataDir))

const accounts = () => embeddedDatabase({ folder: join(dataDir, 'accounts') })

test('a platform that is killed in the middle of a try sends the webhook again, with the same id, after the next start', async () => {
  const target = await receiver((response, n) => void (n > 1 && response.end()))
  const given = delivery(target.url, { createdAt: Date.now() })
  const before = await accounts()
  await enqueue(before.db, given)
  await before.close()

  const env = { HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true' }
  const killed = await startPlatform(dataDir, env)
  await eventually(
    async () => target.received.length,
    (n) => n === 1,
  )
  await killed.kill()
  // The lease would end by itself half a minute later.
  const between = await accounts()
  await between.db
    .updateTable('webhook_deliveries')
    .set({ lease_until: new Date(0) })
    .execute()
  await between.close()

  const platform = await startPlatform(dataDir, env)
  await eventually(
    async () => target.received.length,
    (n) => n === 2,
  )
  const metrics = async () => await metricsOf(platform.url)
  await eventually(metrics, (text) => /^harrier_webhook_tries_total\{outcome="delivered"\} 1$/m.test(text))
  expect(await metrics()).toMatch(/^harrier_webhooks_waiting 0$/m)
  expect(await platform.stop()).toBe(0)
  await target.close()

  for (const { headers, body, at } of target.received) {
    expect([headers['x-harrier-delivery'], body]).toEqual([given.id, given.body])
    expect(verify(SECRET, headers['x-harrier-signature'] as string, body, at / 1000)).toBe(true)
  }
  const after = await accounts()
  const row = await after.db.selectFrom('webhook_deliveries').select(['state', 'attempts']).executeTakeFirstOrThrow()
  expect(row).toEqual({ state: 'delivered', attempts: 2 })
  expect(await kyselyDeliveries(after.db).dead(1)).toEqual([])
  await after.close()
})

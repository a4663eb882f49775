/** Webhooks as their receivers read them. */

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { enqueueDelivery, type NewDelivery } from '../../../connectors/postgres/scans/enqueue-webhook.ts'

type Verify = (secret: string, header: string | undefined, body: Buffer, now?: number) => boolean

/** The check that the documentation gives to receivers, as it stands there. */
const DOCUMENT = readFileSync(new URL('../../../docs/use/scans.md', import.meta.url), 'utf8')
const code = /```js\n([\s\S]*?)```/.exec(DOCUMENT)![1]!
export const { verify } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { verify: Verify }

export const SECRET = 'whsec-0123456789abcdef'

export const delivery = (url: string, given: Partial<NewDelivery> = {}): NewDelivery => ({
  id: randomUUID(),
  url,
  headers: [{ key: 'authorization', value: 'Bearer abc' }],
  secret: SECRET,
  body: Buffer.from('{"status":"done","target":"ä"}'),
  createdAt: 1_800_000_000_000,
  ...given,
})

export const enqueue = (db: AccountsDatabase['db'], ...all: NewDelivery[]): Promise<void> =>
  db.transaction().execute(async (tx) => {
    for (const one of all) await enqueueDelivery(tx, one)
  })

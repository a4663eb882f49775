/**
 * The servers of the POST benchmark, each in a process of its own:
 * `echo` is a bare Koa that parses a JSON body and answers it; `memory` is the API with a log that keeps nothing;
 * `durable` is the API with the embedded log, which answers once the disk has it.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { createApp } from '../../../../api/app.ts'
import { embeddedLog } from '../../../../connectors/log/embedded/log.ts'
import type { EventLog } from '../../../../connectors/log/port.ts'
import { topics } from '../../../../schemas/log/topics.ts'
import { apiConfig, apiPorts } from '../../../builders/api/ports.ts'
import { benchAccounts } from '../read/bench-accounts.ts'

type Served = { app: Koa; close: () => Promise<void> }

function echo(): Served {
  const app = new Koa().use(async (ctx) => {
    const chunks: Buffer[] = []
    for await (const chunk of ctx.req) chunks.push(chunk as Buffer)
    ctx.body = JSON.parse(Buffer.concat(chunks).toString())
  })
  return { app, close: async () => undefined }
}

function api(log: Pick<EventLog, 'send'>, bulkLog?: EventLog): Koa {
  const accounts = benchAccounts()
  return createApp(apiPorts({ accounts, log, ...(bulkLog === undefined ? {} : { bulkLog }) }), apiConfig).app
}

const memory = (): Served => ({ app: api({ send: async () => undefined }), close: async () => undefined })

async function durable(): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'harrier-bench-post-'))
  const log = await embeddedLog({ folder })
  await log.createTopics(topics.map(({ partitions, ...topic }) => ({ ...topic, partitions: partitions.embedded })))
  return {
    app: api(log, log),
    async close() {
      await log.close()
      await rm(folder, { recursive: true })
    },
  }
}

const SIDES: Record<string, () => Served | Promise<Served>> = { echo, memory, durable }

/** Tells its port, then its CPU microseconds whenever asked. */
const { app, close } = await SIDES[process.argv[2]!]!()
const server = app.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
process.on('disconnect', () => void close().finally(() => process.exit()))

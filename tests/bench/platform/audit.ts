/**
 * What audit costs a request that changes something, beside the same routes without it, by turns, over PostgreSQL
 * (DATABASE_URL) or the embedded database in a folder; and how long `harrier audit verify` takes for a million records on
 * the embedded log, whole and with one changed byte.
 * Run: npm run bench -- audit [requests] [records]
 */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { apiRoutes } from '../../../api/app.ts'
import { openStreams } from '../../../api/http/answers/streams.ts'
import { newBodies } from '../../../api/http/bodies/read-body.ts'
import { errorFunnel } from '../../../api/http/middleware/errors.ts'
import { identification } from '../../../api/http/middleware/identity.ts'
import { mount } from '../../../api/http/mount.ts'
import { listen } from '../../../api/http/server.ts'
import { openLog } from '../../../cli/wiring/open/open-log.ts'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { partitionOf } from '../../../connectors/log/partitioner.ts'
import { embeddedDatabase } from '../../../connectors/postgres/core/embedded/embedded-database.ts'
import { aboutMade } from '../../../connectors/postgres/core/port.ts'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import { auditSealing, storeEntries } from '../../../connectors/postgres/operation/audit-store.ts'
import { bufferedWriter } from '../../../connectors/postgres/operation/audit-writer.ts'
import { kyselyOutbox } from '../../../connectors/postgres/operation/outbox-store.ts'
import { startSealer } from '../../../pipelines/jobs/accounts/audit-sealer.ts'
import { startRelay } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import { loadConfig } from '../../../platform/config.ts'
import { type AuditRecord, auditKey, GENESIS, type Head, seal } from '../../../schemas/audit/record.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import { peopleOf } from '../../builders/accounts/team.ts'
import { ADMIN, apiConfig, apiPorts, asAdmin } from '../../builders/api/api.ts'
import { auditEntry } from '../../builders/audit/records.ts'
import { command } from '../../builders/platform/command.ts'
import { at, byTurns } from '../parts/timed.ts'

const REQUESTS = Number(process.argv[2] ?? 2_000)
const RECORDS = Number(process.argv[3] ?? 1_000_000)
const ACTORS = 500
const A_SEND = 5_000

const folder = mkdtempSync(join(tmpdir(), 'harrier-bench-audit-'))
const log = await openLog(loadConfig({ HARRIER_DATA_DIR: folder }))
const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: folder }))
const encode = encoder<AuditRecord>(records.audit, registry.ids.audit)

async function requests(): Promise<void> {
  const url = process.env.DATABASE_URL
  const database =
    url === undefined
      ? await embeddedDatabase({ folder: join(folder, 'accounts') })
      : await postgresDatabase({ url, poolSize: 10, onConnectionLost: () => undefined })
  const { db, work } = database
  const people = peopleOf(database)
  const failed = (error: Error): void => console.error(error)
  const audit = bufferedWriter({ store: storeEntries(db), now: Date.now, onFailure: failed, onLost: () => undefined })
  const sealing = auditSealing(db, { encode, partitionOf: (key) => partitionOf(key, log.keyPartitions) })
  const sealer = startSealer({ sealing, work, now: Date.now, onFailure: failed })
  const relay = startRelay({
    outbox: kyselyOutbox(db),
    log,
    work,
    now: Date.now,
    holder: randomUUID(),
    onPublished: () => undefined,
    onFailure: failed,
  })
  const ports = apiPorts({ ...people, audit })
  const routes = apiRoutes({ ...ports, newId: () => aboutMade(ports.newId()) }, apiConfig)
  const serve = async (trail: typeof ports | null) => {
    const streams = openStreams({ logger: ports.logger, metrics: ports.metrics.instruments })
    const identify = identification(people.accounts, ADMIN, Date.now)
    const options = { identify, trustedProxies: 0, enforce: async () => null, bodies: newBodies(), streams, trail }
    const router = mount(routes, options)
    const app = new Koa().use(errorFunnel(ports.logger, ports.newId)).use(router.routes())
    return listen({ app, isHandshake: () => false, stop: async () => undefined }, { host: '127.0.0.1', port: 0 })
  }
  const [audited, plain] = [await serve(ports), await serve(null)]
  const headers = { ...asAdmin, 'content-type': 'application/json' }
  const send = async (base: string, method: string, path: string, body?: unknown): Promise<Response> => {
    const answer = await fetch(base + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const user = await send(plain.url, 'POST', '/auth/v2/admin/user', { email: `${randomUUID()}@example.com` })
  const { userID } = (await user.json()) as { userID: string }
  const changes: Record<string, (base: string) => Promise<unknown>> = {
    'make a user (one transaction)': (base) =>
      send(base, 'POST', '/auth/v2/admin/user', { email: `${randomUUID()}@example.com` }).then((a) => a.text()),
    'change a user (one transaction)': (base) =>
      send(base, 'PUT', `/auth/v2/admin/user/${userID}`, { groups: ['public', `group-${randomUUID()}`] }).then((a) =>
        a.text(),
      ),
    'make a key (one statement)': (base) =>
      send(base, 'POST', `/auth/v2/admin/user/${userID}/keypair`, { name: 'x', days: 1 }).then((a) => a.text()),
  }
  for (const [name, run] of Object.entries(changes)) {
    const { ours, baseline } = await byTurns(REQUESTS, process.pid, () => ({
      ours: () => run(audited.url),
      baseline: () => run(plain.url),
    }))
    const [with_, without] = [ours.took, baseline.took].map((took) => at(took, 0.5)) as [number, number]
    const more = ((with_ / without - 1) * 100).toFixed(1)
    console.log(
      `${name.padEnd(34)} p50 ${with_.toFixed(2)} ms with, ${without.toFixed(2)} ms without: ${more} %;` +
        ` p99 ${at(ours.took, 0.99).toFixed(1)} and ${at(baseline.took, 0.99).toFixed(1)} ms`,
    )
  }
  await Promise.all([audited.stop(0), plain.stop(0)])
  await audit.close()
  await sealer.stop()
  await relay.stop()
  await database.close()
}

/** Chains of `RECORDS` records beside what is there; one byte of one of them may be another. */
async function verify(): Promise<void> {
  const dataDir = join(folder, 'verify')
  const config = loadConfig({ HARRIER_DATA_DIR: dataDir })
  const own = await openLog(config)
  const schemas = await openRegistry(config)
  const encodeOwn = encoder<AuditRecord>(records.audit, schemas.ids.audit)
  const actors = Array.from({ length: ACTORS }, () => randomUUID())
  const heads = new Map<number, Head>()
  const write = async (count: number, changed: number | null): Promise<void> => {
    for (let from = 0; from < count; from += A_SEND) {
      const messages = Array.from({ length: Math.min(A_SEND, count - from) }, (_, i) => {
        const entry = auditEntry({ userID: actors[(from + i) % ACTORS]! })
        const key = auditKey(entry)
        const partition = partitionOf(Buffer.from(key), own.keyPartitions)
        const next = seal(heads.get(partition) ?? { partition, count: 0, hash: GENESIS }, entry)
        heads.set(partition, next.head)
        const value = encodeOwn(next.record)
        if (from + i === changed) value[60]! ^= 1
        return { key, value }
      })
      await own.send([{ topic: AUDIT_EVENTS, messages }])
    }
  }
  const timed = async (name: string): Promise<void> => {
    const from = performance.now()
    const { code, stdout } = await command(dataDir, 'audit', 'verify')
    console.log(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s, exit code ${code}\n${stdout}`)
  }
  await write(RECORDS, null)
  await timed(`verify of ${RECORDS} records`)
  await write(A_SEND, 1_234)
  await timed('the same and a changed byte')
  await schemas.close()
  await own.close()
}

try {
  if (REQUESTS > 0) await requests()
  if (RECORDS > 0) await verify()
} finally {
  await registry.close()
  await log.close()
  rmSync(folder, { recursive: true, force: true })
}

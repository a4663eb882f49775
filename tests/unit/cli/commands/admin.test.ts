import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer } from '../../../../cli/commands/admin/context.ts'
import { registerCustomers } from '../../../../cli/commands/admin/customers.ts'
import { registerReconcile } from '../../../../cli/commands/admin/reconcile.ts'
import { registerScans } from '../../../../cli/commands/admin/scans.ts'
import { registerUsers } from '../../../../cli/commands/admin/users.ts'
import { kyselyAccounts } from '../../../../connectors/postgres/accounts/users/account-store.ts'
import type { AccountsDatabase } from '../../../../connectors/postgres/core/database.ts'
import { billingOver, customerIn } from '../../../builders/accounts/billing.ts'
import { memoryDatabase } from '../../../builders/accounts/database/memory-database.ts'
import { ADMIN, type RunningApi, startApi } from '../../../builders/api/api.ts'
import { append } from '../../../builders/lifecycle/events.ts'
import { handlersOver } from '../../../builders/lifecycle/handlers.ts'
import { newScan, scansOver } from '../../../builders/scans/scans.ts'

let database: AccountsDatabase
let api: RunningApi
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'harrier-admin-'))
  database = await memoryDatabase()
  const accounts = kyselyAccounts(database.db, append)
  const { ledger } = billingOver(database.db)
  const scans = scansOver(database.db)
  api = await startApi({ accounts, ledger, scans, reconcile: handlersOver(database.db).reconcile })
})
afterAll(async () => {
  await api?.close()
  await database?.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs one command line against `url`; resolves to what it printed. */
async function harrier(line: string, given: Partial<Parameters<typeof openServer>[0]> = {}): Promise<string> {
  let printed = ''
  const config = { url: api.url, caller: null, administrator: ADMIN, dataDir, ...given }
  const context = {
    open: () => openServer(config, { HARRIER_DATA_DIR: dataDir }, dataDir),
    stdout: {
      write(text: string) {
        printed += text
      },
    },
    stderr: { write: () => undefined },
    now: Date.now,
  }
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  registerUsers(program, context)
  registerCustomers(program, context)
  registerScans(program, context)
  registerReconcile(program, context)
  await program.parseAsync(line.split(' '), { from: 'user' })
  return printed
}

const json = async (line: string) => JSON.parse(await harrier(`${line} --json`)) as Record<string, unknown>
const create = async (more = '') =>
  String((await json(`user create --email ${randomUUID()}@example.com${more}`)).userID)

test('a user is created with what is said of it, and shown', async () => {
  const id = await create(' --full-name Ada --alias al --role user --role reporter --group red --group public')
  expect(await json(`user show ${id}`)).toMatchObject({
    userID: id,
    fullName: 'Ada',
    alias: 'al',
    roles: ['user', 'reporter'],
    groups: ['red', 'public'],
  })
})

test('a user without roles and groups has no role and is in public', async () => {
  expect(await json(`user show ${await create()}`)).toMatchObject({ roles: [], groups: ['public'] })
})

test('a user is disabled, enabled and given other roles', async () => {
  const id = await create(' --role user')
  expect(await json(`user disable ${id}`)).toMatchObject({ disabled: true })
  expect(await json(`user enable ${id}`)).toMatchObject({ disabled: false })
  expect(await json(`user roles ${id} trusted reporter`)).toMatchObject({ roles: ['reporter', 'trusted'] })
  expect(await json(`user roles ${id}`)).toMatchObject({ roles: [] })
})

test('a key pair that is issued opens the door', async () => {
  const id = await create(' --role auth_admin')
  const pair = await json(`keypair create ${id} --name laptop --days 3`)
  expect(pair).toMatchObject({ keyName: 'laptop', verified: true })
  const caller = { key: String(pair.apiKey), secret: String(pair.apiSecret) }
  expect(JSON.parse(await harrier(`user show ${id} --json`, { caller, administrator: null }))).toMatchObject({
    userID: id,
  })
})

test('a key pair is narrowed by what its command says', async () => {
  const id = await create(' --role user --group soc')
  const options = '--scope read --scope search --group soc --network 192.0.2.0/24'
  const bounds = { scopes: ['read', 'search'], groups: ['soc'], networks: ['192.0.2.0/24'] }
  expect(await json(`keypair create ${id} --days 3 ${options}`)).toMatchObject(bounds)
  const at = Math.floor(Date.now() / 1000) + 3600
  expect(await json(`keypair create ${id} --expire-at ${at}`)).toMatchObject({ expireAt: at, scopes: null })
  await expect(harrier(`keypair create ${id} --expire-at ${at} --days 3`)).rejects.toThrow(/^400: expireAt: /)
  await expect(harrier(`keypair create ${id} --scope everything`)).rejects.toThrow(/^400: scopes/)
})

test('a command asks as the user whose key pair is set, before the administrator', async () => {
  const pair = await json(`keypair create ${await create(' --role user')}`)
  const caller = { key: String(pair.apiKey), secret: String(pair.apiSecret) }
  await expect(harrier('customer list', { caller })).rejects.toThrow(/^403/)
})

test('a subscription is set, with a quantity of one unless another is given, and cancelled', async () => {
  const { id } = await customerIn(database.db)
  const stored = () =>
    database.db
      .selectFrom('customers')
      .select(['tier', 'quantity', 'subscription_status'])
      .where('id', '=', id)
      .executeTakeFirst()
  expect(await harrier(`customer subscription ${id} --tier Pro --quantity 4`)).toBe('')
  expect(await stored()).toEqual({ tier: 'Pro', quantity: 4, subscription_status: 'active' })
  await harrier(`customer subscription ${id} --tier Enterprise`)
  expect(await stored()).toEqual({ tier: 'Enterprise', quantity: 1, subscription_status: 'active' })
  await harrier(`customer subscription ${id} --cancel`)
  expect(await stored()).toEqual({ tier: 'Free', quantity: 1, subscription_status: 'cancelled' })
})

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

test('a refusal says what the server said, and the id that is in its log', async () => {
  await expect(harrier(`user show ${randomUUID()}`)).rejects.toThrow(
    new RegExp(`^404: no such user \\(error id ${ID}\\)$`),
  )
  const wrong = { administrator: { key: 'x'.repeat(16), secret: 'y'.repeat(16) } }
  await expect(harrier(`user show ${randomUUID()}`, wrong)).rejects.toThrow(
    /^401: missing or invalid credentials \(error/,
  )
  await expect(harrier('user create --email none')).rejects.toThrow(/^400: email: /)
  await expect(harrier(`customer subscription ${randomUUID()} --tier Gold`)).rejects.toThrow(
    /^400: tier: must be one of/,
  )
  await expect(harrier(`keypair create ${randomUUID()} --days many`)).rejects.toThrow('--days <days>')
})

test('an id cannot lead a command to another route', async () => {
  await expect(harrier('user show ../customer')).rejects.toThrow(/^400: id: /)
})

test('a subscription without a tier, or with a tier and a cancellation, is refused before anything is asked', async () => {
  const id = randomUUID()
  await expect(harrier(`customer subscription ${id}`)).rejects.toThrow('--tier or --cancel is required')
  await expect(harrier(`customer subscription ${id} --cancel --tier Pro`)).rejects.toThrow(
    '--cancel cannot be combined with --tier or --quantity',
  )
})

test('without a configured key pair, the one of the data folder is used', async () => {
  const id = await create()
  const none = { administrator: null }
  await expect(harrier(`user show ${id}`, none)).rejects.toThrow('no credentials: there is no key pair in ')
  await writeFile(join(dataDir, 'administrator.json'), JSON.stringify({ apiKey: ADMIN.key, apiSecret: ADMIN.secret }))
  expect(JSON.parse(await harrier(`user show ${id} --json`, none))).toMatchObject({ userID: id })
})

test('a server that is not there is named', async () => {
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
  await new Promise((resolve) => gone.close(resolve))
  const says = `no answer from ${url}: connect ECONNREFUSED 127.0.0.1:${new URL(url).port}\nIs the platform running? 'harrier up' starts one`
  await expect(harrier('customer list', { url })).rejects.toThrow(says)
})

test('customers are listed and shown as the server has them, a page at a time', async () => {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['api-key']}`)
    response.end(JSON.stringify({ customers: [], items: 0, pages: 0 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  expect(await harrier('customer list --page 2', { url })).toBe('no customers\n')
  const id = randomUUID()
  await harrier(`customer show ${id}`, { url })
  expect(asked).toEqual([
    `GET /api/billing/v1/admin/customers?page=2&limit=100 ${ADMIN.key}`,
    `GET /api/billing/v1/admin/customer/${id} ${ADMIN.key}`,
  ])
  await new Promise((resolve) => server.close(resolve))
})

test('credentials do not follow a server that sends them elsewhere', async () => {
  const server = createServer((_, response) => response.writeHead(302, { location: api.url }).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(harrier('customer list', { url })).rejects.toThrow('no answer from')
  await new Promise((resolve) => server.close(resolve))
})

test('scans are listed by state and priority, shown, and queued again once they have ended', async () => {
  const scans = scansOver(database.db)
  const scan = newScan()
  await scans.schedule(scan)
  await scans.schedule(newScan({ priority: 'automatic' }))
  expect(await json('scan list --status new --priority user')).toMatchObject({ id: scan.id })
  expect(await harrier('scan list --limit 1')).toMatch(/^TARGET +STATUS .*\n.*\n$/)
  await expect(harrier(`scan retry ${scan.id}`)).rejects.toThrow(/^409: the scan has not finished/)
  await scans.published([scan.id], 0)
  const wanted = { holder: randomUUID(), now: 0, leaseMs: 1, limit: 1, automatic: 0 }
  const [lease] = await scans.take(wanted)
  await scans.fail(lease!, 'refused', 'the address is not public', 0)
  const shown = { id: scan.id, status: 'permanent_failure', error: 'the address is not public', userID: scan.userId }
  expect(await json(`scan show ${scan.id}`)).toMatchObject(shown)
  expect(await json(`scan retry ${scan.id}`)).toMatchObject({ id: scan.id, status: 'queued', error: null })
  await expect(harrier(`scan show ${randomUUID()}`)).rejects.toThrow(/^404: no such scan/)
  await expect(harrier('scan list --status over')).rejects.toThrow('Allowed choices are new')
})

test('reconcile shows what missed events have left behind, and repairs it unless it is a dry run', async () => {
  const { id } = await customerIn(database.db)
  await database.db.deleteFrom('memberships').where('customer_id', '=', id).execute()
  expect(await json('reconcile --dry-run')).toMatchObject({ ownerless_customers: { found: 1, repaired: 0 } })
  expect(await json('reconcile')).toMatchObject({ ownerless_customers: { found: 1, repaired: 1 } })
  expect(await json('reconcile')).toMatchObject({ ownerless_customers: { found: 0, repaired: 0 } })
})

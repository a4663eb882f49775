/**
 * The servers of the reputation benchmark, each in a process of its own: `echo` is a bare Koa that answers a JSON object of
 * the same size, `api` the API over an index that is as new as it has to be.
 * Tells its port, then its CPU microseconds whenever asked.
 */

import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { createApp } from '../../../../api/app.ts'
import { apiConfig, apiPorts } from '../../../builders/api/ports.ts'
import { benchAccounts } from './bench-accounts.ts'
import { stillLookups } from './still-lookups.ts'

const [side, folder = ''] = process.argv.slice(2)

const VERDICT = {
  value: '11.0.0.1',
  known: true,
  type: 'ip',
  id: `ip-${'0'.repeat(64)}`,
  reputation: -3,
  accuracy: 1,
  tags: ['malware', 'family-1'],
  wellKnown: false,
  firstSeen: '2026-01-01T00:00:00.000Z',
  lastSeen: '2026-01-01T00:00:00.000Z',
}

const echo = (): Koa =>
  new Koa().use(async (ctx) => {
    ctx.body = { ...VERDICT, value: decodeURIComponent(ctx.path.slice(ctx.path.lastIndexOf('/') + 1)) }
  })

const api = (): Koa => createApp(apiPorts({ accounts: benchAccounts(), lookups: stillLookups(folder) }), apiConfig).app

const server = (side === 'echo' ? echo() : api()).listen(0, '127.0.0.1', () =>
  process.send!((server.address() as AddressInfo).port),
)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
process.on('disconnect', () => process.exit())

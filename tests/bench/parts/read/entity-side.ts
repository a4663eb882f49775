/**
 * The servers of the benchmark of single entities, each in a process of its own: `echo` is a bare Koa that reads what it is
 * asked and answers a JSON object of the same size, `api` the API over the store that it is told of.
 * Tells its port, then its CPU microseconds whenever asked.
 */

import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import Koa from 'koa'
import { createApp } from '../../../../api/app.ts'
import { clickhouse } from '../../../../connectors/history/clickhouse.ts'
import { apiConfig, apiPorts } from '../../../builders/api/ports.ts'
import { benchAccounts } from './bench-accounts.ts'

const [side, store = '{}'] = process.argv.slice(2)

const RECORD = {
  id: `ip-${'0'.repeat(64)}`,
  '@timestamp': '2026-01-01T00:00:00.000Z',
  lastSeen: '2026-01-01T00:00:00.000Z',
  type: 'ip',
  reputation: -3,
  bestReputation: -3,
  worstReputation: -3,
  accuracy: 1,
  attributes: { ip: '11.0.0.1', port: '1/tcp', 'first-reported-by': 'sensor' },
  tags: ['malware', 'family-1'],
  wellKnown: false,
  coveredBy: [],
}

const echo = (): Koa =>
  new Koa().use(async (ctx) => {
    const { value } = ctx.method === 'POST' ? ((await json(ctx.req)) as { value: string }) : { value: ctx.path }
    ctx.body = { ...RECORD, attributes: { ...RECORD.attributes, ip: value } }
  })

const api = (): Koa =>
  createApp(apiPorts({ accounts: benchAccounts(), history: clickhouse(JSON.parse(store)) }), apiConfig).app

const server = (side === 'echo' ? echo() : api()).listen(0, '127.0.0.1', () =>
  process.send!((server.address() as AddressInfo).port),
)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
process.on('disconnect', () => process.exit())

/**
 * What a limit adds to a request far from its end: p50, p99 and mean of taking two windows and making the headers, over
 * PostgreSQL (DATABASE_URL) or the embedded database, beside asking the database every time.
 * Run: npm run bench -- limits [requests]
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { allowances } from '../../../api/http/limits/allowance.ts'
import { enforcement } from '../../../api/http/middleware/limits.ts'
import { prometheusMetrics } from '../../../connectors/metrics/prometheus.ts'
import { kyselyCounters } from '../../../connectors/postgres/accounts/plan/limit-counters.ts'
import { limitLeases } from '../../../connectors/postgres/accounts/plan/limit-leases.ts'
import { cachedSubscriptions } from '../../../connectors/postgres/accounts/plan/subscriptions.ts'
import { embeddedDatabase } from '../../../connectors/postgres/core/embedded/embedded-database.ts'
import { postgresDatabase } from '../../../connectors/postgres/core/server-database.ts'
import { BUILT_IN_TIERS } from '../../../schemas/accounts/tiers/tiers.ts'
import { newCounter } from '../../builders/accounts/counters.ts'

const REQUESTS = Number(process.argv[2] ?? 20_000)
/** A request of the API takes some milliseconds; pauses let loans age as they do there. */
const PAUSE_EVERY = 50

const url = process.env.DATABASE_URL
const { db, close } =
  url === undefined
    ? await embeddedDatabase({ folder: null })
    : await postgresDatabase({ url, poolSize: 4, onConnectionLost: () => undefined })

async function measure(name: string, requests: number, ask: () => Promise<unknown>): Promise<void> {
  const micros: number[] = []
  for (let i = 0; i < requests; i++) {
    if (i % PAUSE_EVERY === 0) await sleep(5)
    const from = performance.now()
    await ask()
    micros.push((performance.now() - from) * 1000)
  }
  micros.sort((a, b) => a - b)
  const at = (share: number) => micros[Math.floor(share * micros.length)]!.toFixed(1).padStart(8)
  const mean = micros.reduce((a, b) => a + b) / micros.length
  console.log(`${name.padEnd(34)} p50 ${at(0.5)} us  p99 ${at(0.99)} us  mean ${mean.toFixed(1)} us  (${requests})`)
}

const rows = kyselyCounters(db)
const limits = limitLeases(rows, Date.now)
const sweeping = setInterval(() => void limits.sweep(), 250)
const subscription = async () => ({ tier: 'Enterprise', quantity: 1 })
const enforce = enforcement({
  limits,
  allowances: allowances({
    tiers: BUILT_IN_TIERS,
    subscriptions: cachedSubscriptions({ of: subscription, recent: subscription }, Date.now),
  }),
  now: Date.now,
  metrics: prometheusMetrics({ process: false }).instruments,
})
const CUSTOMER = randomUUID()
const member = {
  userId: randomUUID(),
  customerId: CUSTOMER,
  chargedCustomerId: CUSTOMER,
  roles: [],
  ownGroups: [],
  groups: [],
  disabled: false,
  accepted: true,
  builtIn: false,
  bounds: null,
  by: null,
}
const one = { service: 'ingest-api', features: ['entity_per_minute'] } as const
const two = { service: 'ai-api', features: ['chat_completions_per_day', 'chat_completions_per_week'] } as const

console.log(url === undefined ? 'embedded database' : 'PostgreSQL')
await measure('one window', REQUESTS, () => enforce(one, member, '192.0.2.1'))
await measure('a day and a week', REQUESTS, () => enforce(two, member, '192.0.2.1'))
await measure('anonymous, one window of 3,000', 1_500, () =>
  enforce({ service: 'search-api', features: ['history_search_per_minute'] }, null, '192.0.2.1'),
)
const counter = newCounter()
await measure('a query every time', Math.min(REQUESTS, 2_000), () => rows.lend(counter, 1_000_000_000, 1, 1))
clearInterval(sweeping)
await limits.close()
await close()

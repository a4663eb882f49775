import { kyselyCounters } from '../../../../connectors/postgres/accounts/plan/limit-counters.ts'
import { limitLeases } from '../../../../connectors/postgres/accounts/plan/limit-leases.ts'
import type { Counter } from '../../../../connectors/postgres/accounts/plan/port.ts'
import { postgresDatabase } from '../../../../connectors/postgres/core/server-database.ts'

/**
 * One of several processes that take from the same counter, a few at a time, until it has been refused `refusals` times;
 * tells how many units it was given. It begins when told to, so that all of them meet.
 */
const [url, counter, limit, refusals] = process.argv.slice(2) as [string, string, string, string]
const { db, close } = await postgresDatabase({ url, poolSize: 2, onConnectionLost: () => undefined })
const limits = limitLeases(kyselyCounters(db), Date.now)
const sweeping = setInterval(() => void limits.sweep().catch(() => undefined), 250)
const taken = JSON.parse(counter) as Counter
let [admitted, refused, most] = [0, 0, 0]

async function caller(): Promise<void> {
  while (refused < Number(refusals)) {
    const standing = await limits.take(taken, Number(limit), 1)
    most = Math.max(most, standing.used)
    if (standing.admitted) admitted++
    else refused++
    // Others share the machine; a turn of the event loop also lets this process' callers mix.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

process.once('message', async () => {
  await Promise.all(Array.from({ length: 8 }, caller))
  clearInterval(sweeping)
  process.send!({ admitted, refused, most })
  await limits.close()
  await close()
  process.disconnect()
})
process.send!('ready')

/** Entities of the benchmarks of look-ups: seven addresses to three domains, known to everybody. */

import type { History } from '../../../../connectors/history/port.ts'
import { blocks } from '../../../../connectors/history/stores/blocks-store.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { entityRow } from '../../../builders/intelligence/entity-row.ts'

const BLOCK = 50_000
const START = Date.UTC(2026, 0, 1)
export const PUBLIC = audienceId(['public'])

const octets = (n: number): string => `${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
/** Type and value of entity `i`, which decides everything. */
export const named = (i: number): { type: string; value: string } =>
  i % 10 < 7 ? { type: 'ip', value: `11.${octets(i)}` } : { type: 'domain', value: `host-${i}.example.com` }

function entity(i: number): EntityState {
  const { type, value } = named(i)
  const seen = START + i
  const claim = { source: `customer-${i % 25}`, kind: 'customer' as const, trust: 0.6, reputation: -3 + (i % 3) }
  return entityRow({
    entityId: entityId(type, value),
    type,
    value,
    audience: PUBLIC,
    version: i + 1,
    reputation: claim.reputation,
    accuracy: 1,
    best: claim.reputation,
    worst: claim.reputation,
    sources: 1,
    tags: ['malware', `family-${i % 50}`],
    attributes: { port: `${i % 65_536}/tcp`, 'first-reported-by': 'sensor' },
    attributeTimes: { port: seen, 'first-reported-by': seen },
    country: 'Iceland',
    asn: 64_512 + (i % 1000),
    aso: 'Example Net',
    firstSeen: seen,
    lastSeen: seen,
    scoredAt: seen,
    claims: [{ ...claim, claimedAt: seen, at: seen, keptAt: seen, keptHash: BigInt(i), firstSeen: seen }],
  })
}

/** Stores so many of them, if none are there yet. */
export async function seedEntities(history: History, entities: number): Promise<void> {
  const [there] = await history.query<{ n: string }>({ sql: 'SELECT count() AS n FROM entities', params: {} })
  if (there!.n !== '0') return
  const tables = blocks()
  for (let from = 0; from < entities; from += BLOCK) {
    for (let i = from; i < Math.min(from + BLOCK, entities); i++) tables.addEntity(entity(i))
    await history.insert('entities', tables.entities.finish(), `bench:${from}`)
  }
}

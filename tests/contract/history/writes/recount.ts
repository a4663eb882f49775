import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import type { HistorySnapshot } from '../../../../connectors/history/port.ts'
import { recount } from '../../../../connectors/history/stores/recount-store.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { observing } from '../../../builders/history/applied.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { DAY, NOW, observation } from '../../../builders/intelligence/observation.ts'

const locate = (ip: string) =>
  ip.startsWith('8.') ? { country: 'Iceland', asn: 15_169, aso: "Ülé's" } : { country: '', asn: 0, aso: '' }

/** Few entities, sources and audiences, so that most observations change what another one has counted. */
const reported: fc.Arbitrary<Observation> = fc
  .record({
    value: fc.constantFrom('8.8.8.8', '8.8.4.4', '9.9.9.9', '1.1.1.1'),
    reputation: fc.constantFrom(-3, -1, 0, 2, null),
    tags: fc.uniqueArray(fc.constantFrom('a', 'b|c', "d'e"), { maxLength: 3 }),
    source: fc.constantFrom('s1', 's2', 's3'),
    audience: fc.constantFrom<string[]>(['public'], ['blue'], ['blue', 'red']),
    day: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom('report' as const, 'report' as const, 'well_known' as const),
  })
  .map(({ day, ...given }) =>
    observation({ ...given, ...(given.kind === 'well_known' && PUBLIC_SIGHTING), observedAt: NOW - day * DAY }),
  )
const PUBLIC_SIGHTING = { audience: ['public'], reputation: null }

export function recounts(open: OpenStore): void {
  const { history } = migrated(open)

  beforeEach(async () => {
    for (const table of ['entities', 'counts']) await history.command(`TRUNCATE TABLE ${table}`)
  })

  const apply = observing(history, { dedupeWindow: 3_600_000, locate })

  async function compared<T>(use: (snapshot: HistorySnapshot) => Promise<T>): Promise<T> {
    const snapshot = await recount(async () => history).open()
    try {
      await snapshot.copy()
      return await use(snapshot)
    } finally {
      await snapshot.close()
    }
  }
  const drift = () => compared((snapshot) => snapshot.drift())
  const correct = () => compared((snapshot) => snapshot.correct())
  const wrong = (n: number, key = 'x') =>
    history.command(`INSERT INTO counts SELECT 1, 'tag', 1, '${key}', ${n} SETTINGS insert_deduplicate = 0`)
  const total = async (): Promise<number> => {
    const sql = "SELECT sum(n) AS n FROM counts WHERE dim = 'cell'"
    return Number((await history.query<{ n: string }>({ sql, params: {} }))[0]!.n)
  }

  test('counters that the job kept equal a recount, whatever was reported in whatever batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(reported, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        async (batches) => {
          for (const batch of batches) await apply(batch)
          expect(await drift()).toEqual({ counters: 0, difference: 0 })
        },
      ),
      { numRuns: 6 },
    )
  }, 120_000)

  test('every kind of counter is compared: whichever is lost is missed', async () => {
    await apply([observation({ tags: ['a'] })])
    for (const dim of ['cell', 'day', 'tag', 'country', 'asn', 'aso']) {
      await history.command(`INSERT INTO counts SELECT audience, dim, malicious, key, -1 FROM counts WHERE dim = '${dim}'
        SETTINGS insert_deduplicate = 0`)
      expect([dim, await drift()]).toEqual([dim, { counters: 1, difference: 1 }])
      await correct()
    }
    expect(await drift()).toEqual({ counters: 0, difference: 0 })
  })

  test('drift is found, corrected, and found again when the same comes back', async () => {
    await apply([observation()])
    for (let round = 0; round < 2; round++) {
      await wrong(3)
      await wrong(-2, 'y')
      expect(await drift()).toEqual({ counters: 2, difference: 5 })
      await correct()
      expect(await drift()).toEqual({ counters: 0, difference: 0 })
    }
  })

  test('a correction holds for the moment of its copy, and stands beside what is counted after it', async () => {
    await apply([observation()])
    await wrong(7)
    await compared(async (snapshot) => {
      await apply([observation({ value: '9.9.9.9' }), observation({ value: '1.1.1.1' })])
      expect(await snapshot.drift()).toEqual({ counters: 1, difference: 7 })
      await snapshot.correct()
    })
    expect(await drift()).toEqual({ counters: 0, difference: 0 })
    expect(await total()).toBe(3)
  })

  test('counters that were lost altogether come back in one step, as a reader sees it', async () => {
    await apply(Array.from({ length: 40 }, (_, i) => observation({ value: `8.8.1.${i}`, tags: [`tag ${i}`] })))
    await history.command('TRUNCATE TABLE counts')
    const seen = new Set<number>()
    let done = false
    const reader = (async () => {
      while (!done) seen.add(await total())
    })()
    await correct().finally(() => {
      done = true
    })
    await reader
    seen.add(await total())
    expect([...seen].filter((n) => n !== 0 && n !== 40)).toEqual([])
    expect(seen).toContain(40)
    expect(await drift()).toEqual({ counters: 0, difference: 0 })
  })

  test('a second copy takes the place of the first', async () => {
    await compared(async (snapshot) => {
      await wrong(1)
      expect(await snapshot.drift()).toEqual({ counters: 0, difference: 0 })
      await snapshot.copy()
      expect(await snapshot.drift()).toEqual({ counters: 1, difference: 1 })
    })
  })

  test('one snapshot at a time; one whose process died makes room after a while', async () => {
    await recount(async () => history).open()
    await expect(recount(async () => history).open()).rejects.toThrow('another comparison of the counters is running')
    const later = await vi.waitFor(() => recount(async () => history, 1).open(), { timeout: 10_000, interval: 50 })
    await later.close()
    const rows = await history.query({ sql: "SHOW TABLES LIKE 'recount%'", params: {} })
    expect(rows).toEqual([])
  })
}

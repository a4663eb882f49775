import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { History } from '../../../../connectors/history/port.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { PLAIN_RULES, recordsFrom, storeApplied } from '../../../builders/history/applied.ts'
import { migrated } from '../../../builders/history/shared.ts'
import { stores } from '../../../builders/history/stores.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { compared, type Surface } from '../../../builders/search/oracle/compared.ts'
import { type Case, directed } from '../../../builders/search/oracle/directed.ts'
import { fieldsOf } from '../../../builders/search/oracle/generated/clause-requests.ts'
import { observations } from '../../../builders/search/oracle/generated/records.ts'
import { requests } from '../../../builders/search/oracle/generated/requests.ts'
import { MUTANTS } from '../../../builders/search/oracle/mutants.ts'
import { surfacesOf } from '../../../builders/search/oracle/surfaces.ts'

/**
 * Searches of both routes against a second reading of docs/use/search-reference.md (tests/builders/search/oracle), at random.
 * A search of the first test takes an eighth of a second.
 * What random requests of the second test ask for follows from HARRIER_CHAOS_SEED, as the records do.
 */
const RUNS = longer(12)
const RECORDS = 400
/** Requests, each with the faults that it was seen to find over the records of the usual seed. */
const KNOWN: readonly (Case & { finds: string[] })[] = JSON.parse(
  readFileSync('tests/builders/search/oracle/known.json', 'utf8'),
)
/** At most so many others, asked only while a fault is not found: a hundred meet every fault of the list. */
const MUTANT_REQUESTS = 160
const SEED = Number(process.env.HARRIER_CHAOS_SEED ?? 1)

describe.each(stores())('searches and the page that describes them: $name', ({ open }) => {
  const { history } = migrated(open)
  let surfaces: Surface[]

  beforeAll(async () => {
    const applied = applyBatch(new Map(), recordsFrom(0, observations(RECORDS, SEED)), PLAIN_RULES)
    await storeApplied(history, applied)
    surfaces = await surfacesOf(history, applied)
  })

  const surfaceOf = (called: string): Surface => surfaces.find((one) => one.called === called)!

  /** Requests of either route by any of the callers. */
  const asked = (): fc.Arbitrary<Case> =>
    fc.oneof(
      ...surfaces.map((surface) => {
        const ids = surface.records.map(({ id }) => id)
        const entityIDs = surface.records.map(({ entityID, id }) => entityID ?? id)
        return requests(fieldsOf(surface.name, ids, entityIDs)).map((request) => ({ of: surface.called, request }))
      }),
    )

  test(
    'any search has the answer that the page gives it',
    async () => {
      await fc.assert(
        fc.asyncProperty(asked(), async ({ of, request }) => {
          const { told, should } = await compared(history, surfaceOf(of), request)
          expect(told).toEqual(should)
        }),
        { numRuns: RUNS, endOnFailure: false },
      )
    },
    Math.max(180_000, RUNS * 1000),
  )

  test('a fault in what a search becomes is found by such searches', async () => {
    const others = [...directed(surfaces), ...fc.sample(asked(), { numRuns: MUTANT_REQUESTS, seed: SEED })].values()
    const runs: Run[] = []
    const run = async (one: Case): Promise<Run> => {
      const made = await remembered(one)
      runs.push(made)
      return made
    }
    const known = new Map<string, Run>()
    for (const { finds, ...one } of KNOWN) {
      const made = await run(one)
      for (const name of finds) known.set(name, made)
    }
    // What is known to find it comes first, then those made already; others are made as long as nothing is found.
    async function* all(mutant: string): AsyncGenerator<Run> {
      const first = known.get(mutant)
      if (first !== undefined) yield first
      for (const one of runs) if (one !== first) yield one
      for (const one of others) yield await run(one)
    }
    const survivors: string[] = []
    for (const { name, says, becomes } of MUTANTS) {
      const changed = (sql: string): string => sql.replace(says, becomes as string)
      let touched = 0
      let found = false
      for await (const one of all(name)) {
        if (!one.made.some(({ sql }) => changed(sql) !== sql)) continue
        touched++
        found = await differs(one, changed)
        if (found) break
      }
      if (!found) survivors.push(`${name} (${touched} requests)`)
    }
    expect(survivors).toEqual([])
  }, 600_000)

  /** A request that is answered as it should be, and what the store was asked for it. */
  async function remembered({ of, request }: Case): Promise<Run> {
    const made: Asked[] = []
    const remembering: Pick<History, 'query'> = {
      async query(query, signal) {
        const rows = await history.query(query, signal)
        made.push({ sql: query.sql, rows })
        return rows as never[]
      },
    }
    const { told, should } = await compared(remembering, surfaceOf(of), request)
    expect(told).toEqual(should)
    return { of, request, made }
  }

  /** Whether the answers differ when queries are changed; a query that is not is not made again. */
  async function differs({ of, request, made }: Run, changed: (sql: string) => string): Promise<boolean> {
    let next = 0
    let same = true
    const tampered: Pick<History, 'query'> = {
      async query(query, signal) {
        const known = made[next++]
        const sql = changed(query.sql)
        if (same && sql === query.sql && known?.sql === sql) return known.rows as never[]
        // What follows may ask other things.
        same = false
        return history.query({ ...query, sql }, signal)
      },
    }
    const answers = await compared(tampered, surfaceOf(of), request).catch(() => null)
    return answers === null || !isDeepStrictEqual(answers.told, answers.should)
  }
})

type Asked = { sql: string; rows: readonly unknown[] }
type Run = Case & { made: Asked[] }

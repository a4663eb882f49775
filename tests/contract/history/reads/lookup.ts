import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { coverings } from '../../../../api/intelligence/services/entity/covering.ts'
import { entityLookup, LookupTooLarge } from '../../../../api/intelligence/services/entity/entity-lookup.ts'
import { entityViews } from '../../../../api/intelligence/services/entity/entity-views.ts'
import { evidenceOf } from '../../../../api/intelligence/services/entity/evidence-service.ts'
import { scoreHistoryOf } from '../../../../api/intelligence/services/entity/score-history-service.ts'
import { readers } from '../../../../api/intelligence/services/readers.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { storeSource } from '../../../../connectors/lookups/store-lookups.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { seededRandom } from '../../../../platform/random.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { pointsBetween } from '../../../../schemas/intelligence/scoring/score-history.ts'
import { observing, PLAIN_RULES, recordsFrom } from '../../../builders/history/applied.ts'
import { migrated } from '../../../builders/history/shared.ts'
import type { OpenStore } from '../../../builders/history/stores.ts'
import { HOUR, NOW, observation } from '../../../builders/intelligence/observation.ts'
import { retractionOf } from '../../../builders/intelligence/retraction.ts'
import { longer } from '../../../builders/platform/longer.ts'

/** Hours between the moments that are asked for. With HARRIER_LONGER=5 none is left out. */
const EVERY = Math.ceil(4 / longer(1))

export function lookUps(open: OpenStore): void {
  const { history } = migrated(open)
  const observe = observing(history)
  const apply = (observations: readonly Observation[]) => observe(observations.map((o) => ({ ...o, id: randomUUID() })))
  const reader = (groups: string[] = []) => readers(history, () => NOW).of(['public', ...groups])
  const lookup = async (values: string[], groups?: string[]) =>
    entityLookup(
      storeSource(history),
      coverings(history, entityViews(history), () => NOW),
    )(await reader(groups), values)
  const evidence = async (id: string, at: number, groups?: string[]) =>
    (await evidenceOf(history, entityViews(history))(await reader(groups), id, at, null))!

  test('the groups of stored audiences are told to the jobs, however many are asked for', async () => {
    await apply([observation({ value: '9.9.9.10', audience: ['blue', 'red'] }), observation({ value: '9.9.9.10' })])
    const stored = [['blue', 'red'], ['public']]
    const others = Array.from({ length: 1_200 }, (_, i) => [`nobody-${i}`])
    const found = await observationStore(history).groupsOf([...stored, ...others].map(audienceId))
    expect(found).toEqual(new Map(stored.map((groups) => [audienceId(groups), groups])))
    expect(await observationStore(history).groupsOf([])).toEqual(new Map())
  })

  test('addresses are answered with the networks that they lie in, known addresses or not', async () => {
    await apply([
      observation({ type: 'cidr', value: '9.9.0.0/16', reputation: -2 }),
      observation({ type: 'cidr', value: '9.9.9.0/24', reputation: -1, audience: ['blue'] }),
      observation({ value: '9.9.9.9', reputation: -3 }),
    ])
    const values = ['9.9.9.9', '9.9.1.1', '9.8.1.1', '9.9.0.0/16']
    const told = async (groups?: string[]) => {
      const { items, missing, results } = await lookup(values, groups)
      return {
        items,
        missing,
        around: results.map((r) => [r.value, r.entities.length, r.coveredBy?.map((n) => n.value)]),
      }
    }
    expect(await told()).toEqual({
      items: 2,
      missing: 2,
      around: [
        ['9.9.9.9', 1, ['9.9.0.0/16']],
        ['9.9.1.1', 0, ['9.9.0.0/16']],
        ['9.9.0.0/16', 1, undefined],
      ],
    })
    expect((await told(['blue'])).around[0]).toEqual(['9.9.9.9', 1, ['9.9.9.0/24', '9.9.0.0/16']])
  })

  test('an entity in several audiences is one record of all claims to who reads them', async () => {
    await apply([
      observation({ value: '1.1.1.1', reputation: 3, tags: ['a'], attributes: { text: 'old' } }),
      observation({
        value: '1.1.1.1',
        reputation: -3,
        tags: ['b'],
        attributes: { text: 'new' },
        audience: ['blue'],
        source: 's2',
        trust: 0.9,
        observedAt: NOW + 1,
      }),
    ])
    const told = async (groups?: string[]) => (await lookup(['1.1.1.1'], groups)).results[0]!.entities
    expect(await told()).toMatchObject([{ reputation: 3, tags: ['a'], attributes: { ip: '1.1.1.1', text: 'old' } }])
    expect(await told(['blue'])).toMatchObject([
      {
        reputation: -1,
        bestReputation: 3,
        worstReputation: -3,
        tags: ['a', 'b'],
        attributes: { ip: '1.1.1.1', text: 'new' },
        '@timestamp': new Date(NOW).toISOString(),
        lastSeen: new Date(NOW + 1).toISOString(),
      },
    ])
  })

  test('a row that was replaced is not told of', async () => {
    await apply([observation({ value: '2.2.2.2', reputation: -3 })])
    await apply([observation({ value: '2.2.2.2', reputation: 2, observedAt: NOW + HOUR })])
    expect((await lookup(['2.2.2.2'])).results[0]!.entities).toMatchObject([{ reputation: 2 }])
  })

  test('what is too large for one answer is refused, by its rows and by their repetition', async () => {
    const text = 'x'.repeat(65_000)
    const large = Object.fromEntries(['text', 'malware', 'issuer', 'threat'].map((name) => [name, text]))
    const about = { type: 'domain', attributes: large }
    await apply(Array.from({ length: 300 }, (_, i) => observation({ ...about, value: `verylarge-${i}.example` })))
    const names = Array.from({ length: 300 }, (_, i) => `verylarge-${i}.example`)
    expect((await lookup(names.slice(0, 100))).items).toBe(100)
    await expect(lookup(names)).rejects.toThrow(LookupTooLarge)
    // One entity, in 2^9 spellings.
    const spellings = Array.from({ length: 512 }, (_, i) =>
      [...'verylarge-0.example'].map((c, at) => ((i >> at) & 1 ? c.toUpperCase() : c)).join(''),
    )
    await expect(lookup(spellings)).rejects.toThrow(LookupTooLarge)
  })

  let random: () => number
  // Each test draws the same, whichever others run.
  beforeEach(() => {
    random = seededRandom(7)
  })
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  /** Times in no order and some of them equal, as feeds and several partitions of one source bring them. */
  const saidOf = (value: string): Observation[] =>
    Array.from({ length: 60 }, () =>
      observation({
        value,
        source: pick(['s1', 's2', 's3']),
        sourceKind: 'customer',
        audience: pick([['public'], ['blue'], ['blue', 'red']]),
        reputation: random() < 0.2 ? null : Math.floor(random() * 7) - 3,
        kind: random() < 0.03 ? 'well_known' : 'report',
        observedAt: NOW + Math.floor(random() * 40) * HOUR,
      }),
    )

  test('evidence of any past moment is what the claims were then', async () => {
    const said = saidOf('3.3.3.3')
    for (let i = 0; i < said.length; i += 7) await apply(said.slice(i, i + 7))
    const id = said[0]!.entityId
    for (const groups of [[], ['blue'], ['red']])
      for (let hours = -1; hours < 41; hours += EVERY) {
        const at = NOW + hours * HOUR
        const told = await evidence(id, at, groups)
        const now = claimsThen(said, groups, at)
        const listed = told.claims.map((claim) => ({ ...heardOf(claim), firstSeen: Date.parse(claim.firstSeen) }))
        expect({ hours, groups, claims: listed.sort(byText) }).toEqual({ hours, groups, claims: now.sort(byText) })
      }
  }, 120_000)

  test('what was retracted counts as of every moment before it was, and of none after', async () => {
    const log: Observation[] = []
    for (const o of saidOf('4.4.4.4')) {
      log.push(o)
      if (random() >= 0.3) continue
      const from = NOW + Math.floor(random() * 40) * HOUR
      const window = { from, to: from + Math.floor(random() * 10) * HOUR }
      const { source, audience } = pick(log)
      log.push(retractionOf(log, { source, audience }, window, NOW + (50 + log.length) * HOUR))
    }
    for (let i = 0; i < log.length; i += 7) await apply(log.slice(i, i + 7))
    expect(log.filter((o) => o.kind === 'retraction').length).toBeGreaterThan(10)
    for (const groups of [[], ['blue'], ['red']])
      for (let hours = -1; hours < 60 + log.length; hours += 3 * EVERY) {
        const at = NOW + hours * HOUR
        const told = (await evidence(log[0]!.entityId, at, groups)).claims.map(heardOf)
        const then = claimsThen(log, groups, at).map(({ reputation, lastSeen, claimedAt }) => ({
          reputation,
          lastSeen,
          claimedAt,
        }))
        expect({ hours, groups, claims: told.sort(byText) }).toEqual({ hours, groups, claims: then.sort(byText) })
      }
    // Over all of it, and over a stretch whose points lie between the hours; some before, some after the last word.
    const id = log[0]!.entityId
    const spans = [
      [-1, 60 + log.length, 8],
      [3.3, 37, 5],
      [20, 90, 1],
    ] as const
    for (const groups of [['blue'], ['red']])
      for (const [from, to, points] of spans) {
        const at = pointsBetween(NOW + from * HOUR, NOW + to * HOUR, points)
        const told = await scoreHistoryOf(history, entityViews(history))(await reader(groups), id, at)
        const then = await Promise.all(at.map((time) => evidence(id, time, groups)))
        expect({ groups, points, told }).toEqual({
          groups,
          points,
          told: then.map(({ at, reputation, accuracy, items: claims }) => ({ at, reputation, accuracy, claims })),
        })
      }
  }, 120_000)
}

const heardOf = (claim: { reputation: number | null; lastSeen: string; claimedAt: string | null }) => ({
  reputation: claim.reputation,
  lastSeen: Date.parse(claim.lastSeen),
  claimedAt: claim.claimedAt === null ? 0 : Date.parse(claim.claimedAt),
})

/** The claims that the observations up to `at` make, applied in their order by the very rules of the job. */
function claimsThen(said: readonly Observation[], groups: readonly string[], at: number) {
  const until = recordsFrom(
    0,
    said.filter((o) => o.observedAt <= at),
  )
  const readable = new Set(
    said.filter((o) => o.audience.some((g) => ['public', ...groups].includes(g))).map((o) => audienceId(o.audience)),
  )
  return applyBatch(new Map(), until, PLAIN_RULES)
    .rows.filter((row) => readable.has(row.audience))
    .flatMap((row) => row.claims)
    .map(({ reputation, at: lastSeen, firstSeen, claimedAt }) => ({ reputation, lastSeen, firstSeen, claimedAt }))
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

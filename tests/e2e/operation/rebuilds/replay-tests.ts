import { join } from 'node:path'
import { Writable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, type ReplayProcess } from '../../../../cli/commands/replay/build.ts'
import { compareShadow } from '../../../../cli/commands/replay/compare.ts'
import type { ReplayContext } from '../../../../cli/commands/replay/context.ts'
import { newShadow } from '../../../../cli/commands/replay/new-shadow.ts'
import { promote } from '../../../../cli/commands/replay/promote.ts'
import { rulesOf } from '../../../../cli/commands/replay/rules.ts'
import { type Shadow, shadowOf } from '../../../../cli/commands/replay/shadow.ts'
import { rescoreContext } from '../../../../cli/commands/rescore/rescore-context.ts'
import { homeOf } from '../../../../cli/wiring/open/open-log.ts'
import { geoWhenAsked } from '../../../../connectors/geo/packaged.ts'
import type { TableComparison } from '../../../../connectors/history/generations/compare.ts'
import { build as rescoring } from '../../../../pipelines/rescore/build.ts'
import { promote as promoteRules } from '../../../../pipelines/rescore/promote.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { readRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import { differences, NO_DIFFERENCES } from '../../../builders/history/stored.ts'
import { storedIn } from '../../../builders/history/stored-tables.ts'
import { changesIn, comparePublished, TOLD_RIGHT } from '../../../builders/intelligence/changes.ts'
import { NOW, observation } from '../../../builders/intelligence/observation.ts'
import { observationsOf, replayed } from '../../../builders/intelligence/replay/replay.ts'
import { applyLive, openWorld } from '../../../builders/intelligence/replay/replay-world.ts'
import { randomLog } from '../../../builders/log/observation-log.ts'
import { defaultRules } from '../../../builders/platform/data-folder.ts'
import { during } from '../../../builders/suite/during.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const VERDICTS = 30
/** A shadow has a dozen tables to make, on a machine that may be busy. */
const LONG_MS = 240_000
const never = new AbortController().signal
const quiet = new Writable({ write: (_chunk, _encoding, done) => done() })
const around = (signal = never): ReplayProcess => ({ out: quiet, now: Date.now, signal })
const all = { workers: 1, entities: 1_000_000 }
const differing = (compared: TableComparison[]) => compared.filter(({ equal }) => !equal)

/** A customer decides on some entities, changes its mind, and takes it back. */
async function decide({ log, registry }: ReplayContext): Promise<void> {
  const encode = encoder<Observation>(records.observation, registry.ids.observation)
  const messages = Array.from({ length: VERDICTS }, (_, n) => {
    const verdict = observation({
      id: `019b0000-0000-7000-9000-${String(n).padStart(12, '0')}`,
      kind: 'verdict',
      value: `203.0.0.${Math.floor(n / 3) + 1}`,
      audience: ['blue'],
      observedAt: NOW + n * 1_000,
      reputation: [3, -3, null][n % 3]!,
      tags: [],
      attributes: {},
      verdict: { reason: 'decided', until: 0 },
    })
    return { key: verdict.entityId, value: encode(verdict) }
  })
  await log.send([{ topic: OBSERVATIONS, messages }])
}

/**
 * The tests of `harrier replay` over a log of `records` random records, which several slices are made of in places. They
 * go on with each other's tables: making them is what takes long.
 */
export const replayTests = (records: number) =>
  describe('a rebuild of the tables from the log', { timeout: LONG_MS }, () => {
    const folder = ownFolder()
    /** So few that every partition has more than two slices. */
    const few = Math.floor(records * 0.03)
    const ctx = during(() => openWorld(join(folder, 'data')))
    let whole: Shadow
    let sliced: Shadow

    beforeAll(async () => {
      await randomLog(ctx.log, ctx.registry.ids.observation, records, 1)
      await decide(ctx)
      await applyLive(ctx)
      whole = await rebuilt()
    })

    const rebuilt = async (options: Partial<Parameters<typeof newShadow>[1]> = {}) => {
      const shadow = await newShadow(ctx, { ...all, ...options })
      await build(ctx, shadow, 1, around())
      return shadowOf(ctx, shadow.database)
    }

    test('gives the rows that the job has stored, table by table', async () => {
      const compared = await compareShadow(ctx, whole, never)
      expect(differing(compared)).toEqual([])
      expect(compared.map(({ table }) => table)).toEqual(
        expect.arrayContaining([
          'associations',
          'audiences',
          'counts',
          'covering_marks',
          'entities',
          'history',
          'networks',
          'tagged',
        ]),
      )
      for (const { table, rows, shadowRows } of compared)
        expect([table, rows > 0, shadowRows]).toEqual([table, true, rows])
      const expected = replayed(await observationsOf(ctx.log), defaultRules())
      expect(differences(expected, await storedIn(whole.history))).toEqual(NO_DIFFERENCES)
    })

    test('gives the verdicts again, and sums of days that count them as the records do', async () => {
      const live = ctx.history.at((await ctx.generations.current()).database)
      for (const history of [live, whole.history])
        for (const column of ['well_known, reputation', 'tags']) {
          const days = (settings: string) =>
            history.query<{ records: string }>({
              sql: `SELECT toDate32(ts) AS day, audience, type, ${column}, count() AS records, sum(reputation) AS reputations
              FROM history GROUP BY ALL ORDER BY ALL SETTINGS ${settings}`,
              params: {},
            })
          const summed = await days('optimize_use_projections = 1, force_optimize_projection = 1')
          expect(summed).toEqual(await days('optimize_use_projections = 0'))
          const [kept] = await history.query<{ all: string; verdicts: string }>({
            sql: "SELECT count() AS all, countIf(kind = 'verdict') AS verdicts FROM history",
            params: {},
          })
          expect(kept!.verdicts).toBe(String(VERDICTS))
          expect(summed.reduce((sum, { records: n }) => sum + Number(n), 0)).toBe(Number(kept!.all))
        }
    })

    test('is not gone on with under other rules', async () => {
      const other = { ...ctx, config: { ...ctx.config, dedupeWindowMs: 1 } }
      await expect(promote(other, whole, never)).rejects.toThrow('was started with a dedupe window of 3600000 ms')
    })

    test('a single row that differs is found, and its key is named', async () => {
      await whole.history.command(`INSERT INTO entities (key, digest, type, value, audience, version, partition, reputation)
      SELECT key, digest, type, value, audience, version + 1, partition, reputation FROM entities ORDER BY key LIMIT 1`)
      await whole.history.command(
        "INSERT INTO counts SELECT * FROM counts WHERE dim = 'cell' LIMIT 1 SETTINGS insert_deduplicate = 0",
      )
      await whole.history.command('DELETE FROM history WHERE log_offset = 17 AND topic_partition = 0')
      const compared = await compareShadow(ctx, whole, never)
      expect(differing(compared).map(({ table, differing: keys }) => [table, keys.length])).toEqual(
        expect.arrayContaining([
          ['entities', 1],
          ['counts', 1],
          ['history', 1],
        ]),
      )
      await ctx.generations.drop(whole.database)
    })

    test('in many slices, it goes on where it was interrupted, a slice that is done again adds nothing, and nobody is told', async () => {
      const before = (await changesIn(ctx.log)).length
      expect(before).toBeGreaterThan(0)
      const begun = await newShadow(ctx, { ...all, entities: few })
      expect(Math.min(...begun.plan.spans.map(({ slices }) => slices))).toBeGreaterThan(2)
      const stop = new AbortController()
      const slices = begun.slicesLeft
      const write = begun.notes.write
      let done = 0
      begun.notes.write = async (name, value) => {
        await write(name, value)
        if (++done === 3) stop.abort()
      }
      await expect(build(ctx, begun, 2, around(stop.signal))).rejects.toMatchObject({
        message: expect.stringMatching(/records read; finished slices stay$/),
        goOn: `harrier replay resume ${begun.database}`,
      })
      const left = await shadowOf(ctx, begun.database)
      expect(left.slicesLeft).toBeGreaterThan(0)
      expect(left.slicesLeft).toBeLessThan(slices)
      await expect(promote(ctx, left, never)).rejects.toThrow(`is incomplete (${left.slicesLeft} slices left)`)
      // All of one that is noted is stored, but its note got lost.
      const noted = [...(await left.notes.read()).keys()].find((name) => name.startsWith('slice'))
      await left.history.command(`DELETE FROM rebuild WHERE name = '${noted}'`)
      await build(ctx, await shadowOf(ctx, begun.database), 1, around())
      sliced = await shadowOf(ctx, begun.database)
      expect(differing(await compareShadow(ctx, sliced, never))).toEqual([])
      const [twice] = await sliced.history.query<{ n: string }>({
        sql: 'SELECT count() - uniqExact(id) AS n FROM history',
        params: {},
      })
      expect(Number(twice!.n)).toBe(0)
      expect((await changesIn(ctx.log)).length).toBe(before)
    })

    test('of a part of the log is compared in its part, and cannot be promoted', async () => {
      const [first] = await ctx.log.offsets(OBSERVATIONS)
      const toOffset = new Map([[first!.partition, Math.floor(first!.high / 2)]])
      for (const options of [{ toOffset }, { feed: 'f' }]) {
        const shadow = await rebuilt(options)
        const [history] = await compareShadow(ctx, shadow, never)
        expect(history).toMatchObject({ table: 'history', equal: true, differing: [] })
        expect(history!.rows).toBeGreaterThan(100)
        await expect(promote(ctx, shadow, never)).rejects.toThrow(`${shadow.database} is partial`)
        await ctx.generations.drop(shadow.database)
      }
    })

    test('catches up with what came since, and becomes the live one with changes told of what no job has applied', async () => {
      await randomLog(ctx.log, ctx.registry.ids.observation, Math.floor(records * 0.3), 5)
      await applyLive(ctx)
      // No job sees these before the promotion.
      await randomLog(ctx.log, ctx.registry.ids.observation, Math.floor(records * 0.2), 9)
      await promote(ctx, sliced, never)
      expect((await ctx.generations.current()).database).toBe(sliced.database)
      await applyLive(ctx)
      const observations = await observationsOf(ctx.log)
      expect(differences(replayed(observations, defaultRules()), await storedIn(sliced.history))).toEqual(
        NO_DIFFERENCES,
      )
      expect(comparePublished(observations, defaultRules(), await changesIn(ctx.log))).toEqual(TOLD_RIGHT)
    })

    test('after other scoring rules came into force, a rebuild follows those that held where', async () => {
      const { ids } = ctx.registry
      const some = Math.floor(records * 0.06)
      for (const [n, rules] of [{ formula: 2 }, { trust: { 'feed:f': 0.1 }, halfLives: { ip: 1 } }].entries()) {
        const rescore = rescoreContext(ctx, rulesOf(ctx.config, geoWhenAsked()), homeOf(ctx.log))
        const current = await ctx.generations.current()
        const database = await ctx.generations.shadow()
        const after = JSON.stringify(readRules({ id: `rules-${n}`, ...rules }))
        const given = { live: current.database, before: current.rules, after }
        const state = await rescoring(rescore.portsOf(database, given), given, () => undefined, never)
        await randomLog(ctx.log, ids.observation, some, 14 + 4 * n)
        await promoteRules(rescore.portsOf(database, state), database, state, rescore.observe, never)
        await randomLog(ctx.log, ids.observation, some, 16 + 4 * n)
        await applyLive(ctx)
      }
      for (const entities of [all.entities, few]) {
        const begun = await newShadow(ctx, { ...all, entities })
        expect(begun.plan.promoted).toHaveLength(2)
        await build(ctx, begun, 1, around())
        const shadow = await shadowOf(ctx, begun.database)
        expect(differing(await compareShadow(ctx, shadow, never))).toEqual([])
        await ctx.generations.drop(shadow.database)
      }
    })
  })

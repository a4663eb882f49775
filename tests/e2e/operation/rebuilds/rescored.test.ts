import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { build } from '../../../../cli/commands/replay/build.ts'
import { compareShadow } from '../../../../cli/commands/replay/compare.ts'
import { newShadow } from '../../../../cli/commands/replay/new-shadow.ts'
import { promote as promoteReplay } from '../../../../cli/commands/replay/promote.ts'
import { rulesOf } from '../../../../cli/commands/replay/rules.ts'
import { shadowOf } from '../../../../cli/commands/replay/shadow.ts'
import { finishLast, rescoreContext } from '../../../../cli/commands/rescore/rescore-context.ts'
import { homeOf } from '../../../../cli/wiring/open/open-log.ts'
import { geoWhenAsked } from '../../../../connectors/geo/packaged.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { build as rescoring } from '../../../../pipelines/rescore/build.ts'
import { promote } from '../../../../pipelines/rescore/promote.ts'
import { publishRescored } from '../../../../pipelines/rescore/publish-rescored.ts'
import { readRules, rulesIn, type ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { fold } from '../../../../schemas/intelligence/state/entity-view.ts'
import { viewChange } from '../../../../schemas/intelligence/state/view-change.ts'
import { differences, NO_DIFFERENCES } from '../../../builders/history/stored.ts'
import { storedIn } from '../../../builders/history/stored-tables.ts'
import { changesAgainst, changesIn, TOLD_RIGHT } from '../../../builders/intelligence/changes.ts'
import { observationsOf } from '../../../builders/intelligence/replay/replay.ts'
import { promotionsIn, replayedUnder } from '../../../builders/intelligence/replay/replay-rules.ts'
import { applyLive, openWorld } from '../../../builders/intelligence/replay/replay-world.ts'
import { randomLog } from '../../../builders/log/observation-log.ts'
import { defaultRules } from '../../../builders/platform/data-folder.ts'
import { during } from '../../../builders/suite/during.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

/** Promotions of scoring rules over real stores, killed while they tell (ADR 271). */
const MEDIAN = readRules({ id: 'median', formula: 2, trust: { 'feed:f': 0.1 } })
const SHORT = readRules({ id: 'short', halfLives: { ip: 1 }, trust: { s1: 1 } })
const READERS = [['public'], ['blue'], ['public', 'blue'], ['public', 'red', 'green']]
const never = new AbortController().signal
const quiet = new Writable({ write: (_chunk, _encoding, done) => done() })
const folder = ownFolder()
const ctx = during(() => openWorld(join(folder, 'data')))
let seed = 1

const rescore = () => {
  const made = rescoreContext(ctx, rulesOf(ctx.config, geoWhenAsked()), homeOf(ctx.log))
  return { ...made, portsOf: (...given: Parameters<typeof made.portsOf>) => ({ ...made.portsOf(...given), pause }) }
}
/** Nobody here asks the tables of before. */
const pause = async (): Promise<void> => undefined
const report = (n: number) => randomLog(ctx.log, ctx.registry.ids.observation, n, seed++)

/** Other rules are live; nothing is told of them. */
async function promoted(rules: ScoringRules): Promise<string> {
  const made = rescore()
  const current = await ctx.generations.current()
  const database = await ctx.generations.shadow()
  const given = { live: current.database, before: current.rules, after: JSON.stringify(rules) }
  const state = await rescoring(made.portsOf(database, given), given, () => undefined, never)
  // No job sees these before the promotion.
  await report(90)
  await promote(made.portsOf(database, state), database, state, made.observe, never)
  return database
}

/** Tells, and is killed at its `at`-th step, before or after it; whether it was. */
async function killedTelling(database: string, at: number): Promise<boolean> {
  const made = rescore()
  const state = await made.stateOf(database)
  const ports = made.portsOf(database, state)
  let steps = 0
  const dies =
    <A extends unknown[], R>(step: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (steps++ === at) throw new Error('killed')
      const done = await step(...args)
      if (steps++ === at) throw new Error('killed')
      return done
    }
  const dying = {
    ...ports,
    log: { ...ports.log, send: dies(ports.log.send) },
    shadow: { ...ports.shadow, note: dies(ports.shadow.note) },
  }
  return publishRescored(dying, database, state, never).then(
    () => false,
    (error: Error) => error.message === 'killed',
  )
}

const rescoredIn = async (): Promise<string[]> =>
  (await observationsOf(ctx.log)).flatMap(({ observation: o }) => (o.kind === 'rescored' ? [o.id] : []))

/** Whatever was killed, the log and the tables are those of the pure rules. */
async function expectRight(): Promise<void> {
  const should = replayedUnder(await observationsOf(ctx.log), await promotionsIn(ctx.log), defaultRules())
  const live = ctx.history.at((await ctx.generations.current()).database)
  expect(differences(should.stored, await storedIn(live))).toEqual(NO_DIFFERENCES)
  expect(changesAgainst(should.changes, await changesIn(ctx.log))).toEqual(TOLD_RIGHT)
}

/** The last that each reader was told of each entity is what it is shown; @returns how often a reader was told of rules */
async function expectTold(): Promise<number> {
  const { database, rules } = await ctx.generations.current()
  const store = observationStore(ctx.history.at(database))
  const changes = await changesIn(ctx.log)
  const rows = await store.rowsOf([...new Set(changes.map(({ entityId }) => entityId))])
  const groups = await store.groupsOf([...new Set(rows.map(({ audience }) => audience))])
  let told = 0
  for (const own of READERS) {
    const reads = (audience: readonly string[]) => audience.some((group) => own.includes(group))
    const last = new Map<string, string>()
    for (const change of changes) {
      const seen = viewChange(change, reads)
      if (seen === null || seen === 'wide') continue
      if (seen.reason === 'rescored') told++
      last.set(change.entityId, `${seen.after.reputation} ${seen.after.accuracy}`)
    }
    const readable = Map.groupBy(
      rows.filter(({ audience }) => reads(groups.get(audience)!)),
      (row: EntityState) => row.entityId,
    )
    const shown = [...readable].map(([id, those]) => {
      const view = fold(those, rulesIn(rules))
      return [id, `${view.reputation} ${view.accuracy}`]
    })
    expect(Object.fromEntries(last)).toEqual(Object.fromEntries(shown))
  }
  return told
}

test('killed anywhere while it tells, a promotion tells everybody once, by records that are the same again', async () => {
  await report(450)
  await applyLive(ctx)
  for (const [at, rules] of [MEDIAN, SHORT, MEDIAN, SHORT].entries()) {
    const database = await promoted(rules)
    // Some are told by a report first.
    await report(60)
    const before = new Set(await rescoredIn())
    expect(await killedTelling(database, at)).toBe(true)
    const first = (await rescoredIn()).filter((id) => !before.has(id))
    // What the jobs have applied by then is not sent again.
    if (at > 1) await applyLive(ctx)
    await finishLast(rescore(), never)
    await applyLive(ctx)
    const all = (await rescoredIn()).filter((id) => !before.has(id))
    expect(all.length).toBeGreaterThan(20)
    // What the killed one sent is what the finished one sends, and no entity has two.
    if (at > 0) expect(new Set(all)).toEqual(new Set(first))
    expect(new Set(all).size).toBe(at === 1 ? all.length / 2 : all.length)
    expect((await rescore().stateOf(database)).stage).toBe('told')
    expect(await finishLast(rescore(), never)).toBe(0)
    await expectRight()
    expect(await expectTold()).toBeGreaterThan(20)
  }
}, 300_000)

test('a rebuild is refused while anything is to be told, and is equal and goes live afterwards', async () => {
  const database = await promoted(SHORT)
  await applyLive(ctx)
  const rebuilt = async () => {
    const shadow = await newShadow(ctx, { workers: 1, entities: 1_000_000 })
    await build(ctx, shadow, 1, { out: quiet, now: Date.now, signal: never })
    return shadowOf(ctx, shadow.database)
  }
  const early = await rebuilt()
  await expect(promoteReplay(ctx, early, never)).rejects.toThrow(
    'not every change of the active scoring rules is published',
  )
  expect((await ctx.generations.current()).database).toBe(database)
  await finishLast(rescore(), never)
  await applyLive(ctx)
  const shadow = await rebuilt()
  expect((await compareShadow(ctx, shadow, never)).filter(({ equal }) => !equal)).toEqual([])
  // One that was begun before the records of the promotion brings them on.
  await promoteReplay(ctx, early, never)
  expect(await ctx.generations.current()).toMatchObject({
    database: early.database,
    rescored: { since: expect.anything() },
  })
  await report(120)
  await applyLive(ctx)
  await expectRight()
  await expectTold()
}, 300_000)

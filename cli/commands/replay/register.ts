import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document, jsonLines, LINES, withJson } from '../output.ts'
import { moment, wholeNumber } from '../values/values.ts'
import { build, type ReplayProcess } from './build.ts'
import { compareShadow } from './compare.ts'
import type { ReplayContext } from './context.ts'
import { newShadow } from './new-shadow.ts'
import { boundsOf, isBounded, parseOffset, type StartOptions } from './options.ts'
import { promote } from './promote.ts'
import { assertSameRules, type Shadow, shadowOf } from './shadow.ts'

type Json = { json?: true }
type Finish = { json?: true | undefined; promote?: boolean }

/** Entities of a slice, all in memory at once: at most about 1.3 GB for each thread. */
const ENTITIES = 1_000_000
const THREADS = Math.min(16, availableParallelism())

/** Adds `replay start`, `resume`, `list`, `compare`, `promote` and `drop` to the program. */
export function registerReplay(
  program: Command,
  open: () => Promise<ReplayContext>,
  around: ReplayProcess & { stderr: ReplayProcess['out'] },
): void {
  const replay = program
    .command('replay')
    .description('rebuild history and entities from the log, next to the live tables')
  const { out, stderr, signal } = around
  /** With `--json` what is done is told on the standard error, and the result alone is printed. */
  const telling = (json: true | undefined): ReplayProcess => (json ? { ...around, out: stderr } : around)
  const threads = wholeNumber(1, 64)
  const time = moment(around.now)

  const within = async (work: (ctx: ReplayContext) => Promise<void>): Promise<void> => {
    const ctx = await open()
    await work(ctx).finally(ctx.close)
  }
  const promoteShadow = async (ctx: ReplayContext, shadow: Shadow, json: true | undefined): Promise<void> => {
    const { database } = await ctx.generations.current()
    const held = await promote(ctx, shadow, signal).catch((cause: Error) => {
      if (!signal.aborted) throw cause
      throw new Interrupted('the live tables are unchanged', `harrier replay promote ${shadow.database}`, { cause })
    })
    if (json) out.write(document({ database: shadow.database, state: 'live', before: database, pausedMs: held }))
    else
      out.write(
        `${shadow.database} is live; the jobs paused for ${(held / 1000).toFixed(1)} s. Run 'replay drop ${database}' to remove the old tables\n`,
      )
  }
  const reportFinished = async (
    ctx: ReplayContext,
    shadow: Shadow,
    { json, promote: promotes }: Finish,
  ): Promise<void> => {
    const { database, plan } = shadow
    const whole = { ...shadow, slicesLeft: 0 }
    if (promotes) await promoteShadow(ctx, whole, json)
    else if (json) out.write(document({ database, state: plan.partial ? 'partial' : 'whole' }))
    else if (plan.partial)
      out.write(
        `${database} contains only a part of the log; run 'replay compare ${database}', then 'replay drop ${database}'\n`,
      )
    else out.write(`${database} is complete; run 'replay compare ${database}', then 'replay promote ${database}'\n`)
  }

  withJson(replay.command('start'))
    .description('build shadow tables from the log; with a bound they are partial and cannot be promoted')
    .option('--from-offset <partition:offset>', 'first record of a partition (may be repeated)', parseOffset)
    .option('--to-offset <partition:offset>', 'end before this record of a partition (may be repeated)', parseOffset)
    .option('--since <time>', 'only records appended at or after this time', time)
    .option('--until <time>', 'only records appended before this time', time)
    .option('--feed <name>', 'only records of this feed')
    .option('--promote', 'promote the shadow when it is complete')
    .option('--workers <n>', 'threads', threads, THREADS)
    .option('--entities <n>', 'number of entities that a thread keeps in memory', wholeNumber(1, 100_000_000), ENTITIES)
    .action((options: StartOptions) => {
      if (options.promote && isBounded(options))
        throw new UsageError('a partial shadow cannot be promoted; remove --promote or the bounds')
      boundsOf(options)
      return within(async (ctx) => {
        const shadow = await newShadow(ctx, options)
        const told = telling(options.json)
        told.out.write(`${shadow.database}: ${shadow.slicesLeft} slices to build\n`)
        await build(ctx, shadow, options.workers, told)
        await reportFinished(ctx, shadow, options)
      })
    })

  withJson(replay.command('resume <database>'))
    .description('resume an interrupted shadow; finished slices are kept')
    .option('--workers <n>', 'threads', threads, THREADS)
    .action((database: string, { workers, json }: { workers: number; json?: true }) =>
      within(async (ctx) => {
        const shadow = await shadowOf(ctx, database)
        await assertSameRules(ctx, shadow)
        await build(ctx, shadow, workers, telling(json))
        await reportFinished(ctx, shadow, { json })
      }),
    )

  withJson(replay.command('list'), LINES)
    .description('list all generations of the tables')
    .action(({ json }: Json) =>
      within(async (ctx) => {
        for (const { database, live, rows, bytes } of await ctx.generations.list()) {
          const state = live ? 'live' : await stateOf(ctx, database)
          if (json) out.write(jsonLines([{ database, state, rows, bytes }]))
          else out.write(`${database}\t${state}\t${rows} rows\t${bytes} bytes\n`)
        }
      }),
    )

  withJson(replay.command('compare <database>'), `${LINES} for every table`)
    .description('compare a shadow with the live tables; exit code 1 if they differ')
    .action((database: string, { json }: Json) =>
      within(async (ctx) => {
        const compared = await compareShadow(ctx, await shadowOf(ctx, database), signal)
        if (json) out.write(jsonLines(compared))
        else
          for (const { table, rows, shadowRows, equal, differing } of compared) {
            out.write(`${table}\t${equal ? 'equal' : 'DIFFERS'}\t${rows} live\t${shadowRows} shadow\n`)
            for (const key of differing) out.write(`\t${key}\n`)
          }
        if (compared.some(({ equal }) => !equal)) throw new Error(`${database} differs from the live tables`)
      }),
    )

  withJson(replay.command('promote <database>'))
    .description('make a complete shadow live; the platform may keep running')
    .action((database: string, { json }: Json) =>
      within(async (ctx) => promoteShadow(ctx, await shadowOf(ctx, database), json)),
    )

  withJson(replay.command('drop <database>'))
    .description('remove a shadow, or tables that are no longer live')
    .action((database: string, { json }: Json) =>
      within(async (ctx) => {
        await ctx.generations.drop(database)
        out.write(json ? document({ removed: database }) : `removed ${database}\n`)
      }),
    )
}

async function stateOf(ctx: ReplayContext, database: string): Promise<string> {
  try {
    const { plan, slicesLeft } = await shadowOf(ctx, database)
    if (slicesLeft > 0) return `${slicesLeft} slices left`
    return plan.partial ? 'partial' : 'whole'
  } catch {
    return 'not a rebuild'
  }
}

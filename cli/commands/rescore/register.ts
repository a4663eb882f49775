import type { Command } from 'commander'
import type { History } from '../../../connectors/history/port.ts'
import { type EntityRow, rowsByKey } from '../../../connectors/history/sql/queries/entities-queries.ts'
import { rescoreStore } from '../../../connectors/history/stores/rescore-store.ts'
import { scoreOf } from '../../../pipelines/processors/intelligence/rescore.ts'
import {
  type Difference,
  difference,
  type Mover,
  type Moves,
  REPUTATIONS,
} from '../../../pipelines/processors/intelligence/rescore-difference.ts'
import { build } from '../../../pipelines/rescore/build.ts'
import { promote } from '../../../pipelines/rescore/promote.ts'
import { bothRules } from '../../../pipelines/rescore/rescore-state.ts'
import { BadRules, parseRules, rulesIn, type ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { entityKey } from '../../../schemas/intelligence/state/entity-state.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document, withJson } from '../output.ts'
import { textOf, wholeNumber } from '../values/values.ts'
import { finishLast, type RescoreContext } from './rescore-context.ts'

/** Rows of one question: 15 MB of text. */
const ROWS_AT_ONCE = 20_000

/** What these rules would change in the live generation, which is read and left as it is. */
export async function tryRules(
  { generations, history }: Pick<RescoreContext, 'generations' | 'history'>,
  rules: ScoringRules,
  top: number,
  signal: AbortSignal,
): Promise<{ difference: Difference; values: Map<string, string> }> {
  const { database, rules: before } = await generations.current()
  const live = history.at(database)
  const sums = difference(rulesIn(before), rules, top)
  for await (const rows of rescoreStore(live, ROWS_AT_ONCE).claims()) {
    signal.throwIfAborted()
    sums.add(rows.map((row) => [row, scoreOf(row, rules)]))
  }
  const result = sums.result()
  return { difference: result, values: await valuesOf(live, result) }
}

/** Main values of the movers, by entity. */
async function valuesOf(history: History, { movers }: Difference): Promise<Map<string, string>> {
  if (movers.length === 0) return new Map()
  const keys = [...new Set(movers.map(({ entityId }) => entityKey(entityId)))]
  const rows = await history.query<EntityRow>(rowsByKey(keys))
  return new Map(rows.map((row) => [row.entity_id, row.value]))
}

const signed = (n: number): string => (n > 0 ? `+${n}` : String(n))
const cell = (text: string | number): string => String(text).padStart(10)

/** A difference as an operator reads it. `values`: of the entities among the movers, by id. */
export function formatDifference(d: Difference, values: ReadonlyMap<string, string>, seconds: number): string {
  const lines = [
    `${d.entities} entities in ${d.rows} rows (one row per entity and audience), ${seconds.toFixed(1)} s`,
    `${d.reputation} rows change their reputation, ${d.accuracy} their accuracy`,
    `${d.becomeMalicious} become malicious, ${d.becomeHarmless} are no longer malicious`,
    '',
    'reputation before (rows) and after (columns):',
    `${cell('')}${REPUTATIONS.map(cell).join('')}`,
    ...REPUTATIONS.map((from) => cell(from) + REPUTATIONS.map((to) => cell(d.matrix[from]![to]!)).join('')),
    ...moves('by type', d.byType),
    ...moves('by kind of source', d.bySourceKind),
  ]
  if (d.movers.length > 0)
    lines.push('', 'the largest movers:', ...d.movers.flatMap((mover) => moverLines(mover, values)))
  return `${lines.join('\n')}\n`
}

function moves(title: string, of: Moves): string[] {
  const total = (row: Record<number, number>): number => Object.values(row).reduce((sum, n) => sum + n, 0)
  const rows = Object.entries(of).sort(([a, x], [b, y]) => total(y) - total(x) || (a < b ? -1 : 1))
  if (rows.length === 0) return []
  return [
    '',
    `changed rows ${title}, with the change of reputation:`,
    ...rows.map(([name, row]) => {
      const by = Object.keys(row)
        .map(Number)
        .sort((a, b) => a - b)
      return `  ${name.padEnd(20)} ${by.map((n) => `${signed(n)}: ${row[n]}`).join(', ')}`
    }),
  ]
}

const moverLines = ({ entityId, type, from, to, claims }: Mover, values: ReadonlyMap<string, string>): string[] => [
  `  ${type} ${values.get(entityId) ?? entityId}: ${from} -> ${to}`,
  ...claims.map(
    ({ source, reputation, before, after }) =>
      `      ${source} says ${reputation}, weight ${before.toFixed(3)} -> ${after.toFixed(3)}`,
  ),
]

type RescoreProcess = { stdout: { write(text: string): unknown }; signal: AbortSignal }
type Json = { json?: true }
type ShowOptions = { top: number; json?: boolean }

const MAX_TOP = 1_000
const MAX_FILE = 1_000_000

/** Adds `rescore` with its commands to the program. */
export function registerRescore(
  program: Command,
  open: () => Promise<RescoreContext>,
  { stdout, signal }: RescoreProcess,
): void {
  const rescore = program.command('rescore').description('try and apply other scoring rules to the current claims')

  const within = async (work: (ctx: RescoreContext) => Promise<void>): Promise<void> => {
    const ctx = await open()
    await work(ctx).finally(() => ctx.close())
  }
  const rulesOf = async (file: string): Promise<ScoringRules> => {
    const text = await textOf(file)
    try {
      if (text.length > MAX_FILE) throw new BadRules(`rules: more than ${MAX_FILE} characters`)
      return parseRules(text)
    } catch (error) {
      if (error instanceof BadRules) throw new UsageError(`${file}: ${error.message}`)
      throw error
    }
  }
  const writeDifference = (
    d: Difference,
    values: ReadonlyMap<string, string>,
    began: number,
    json = false,
    database?: string,
  ): void => {
    const seconds = (performance.now() - began) / 1000
    if (!json) return void stdout.write(formatDifference(d, values, seconds))
    const movers = d.movers.map((mover) => ({ ...mover, value: values.get(mover.entityId) ?? null }))
    stdout.write(document({ ...d, movers, seconds, ...(database === undefined ? {} : { database }) }))
  }
  const showing = (command: Command): Command =>
    withJson(command).option(
      '--top <n>',
      `number of largest movers to list, at most ${MAX_TOP}`,
      wholeNumber(0, MAX_TOP),
      20,
    )

  showing(rescore.command('try <rules.json>'))
    .description('show what these rules would change; changes nothing')
    .action(async (file: string, { top, json }: ShowOptions) => {
      const rules = await rulesOf(file)
      await within(async (ctx) => {
        const began = performance.now()
        const { difference: d, values } = await tryRules(ctx, rules, top, signal)
        writeDifference(d, values, began, json)
      })
    })

  showing(rescore.command('build <rules.json>'))
    .description('score all entities by these rules into new tables, next to the live ones')
    .action(async (file: string, { top, json }: ShowOptions) => {
      const rules = await rulesOf(file)
      await within(async (ctx) => {
        await finishLast(ctx, signal)
        const began = performance.now()
        const current = await ctx.generations.current()
        const database = await ctx.generations.shadow()
        const given = { live: current.database, before: current.rules, after: JSON.stringify(rules) }
        const { before, after } = { before: rulesIn(given.before), after: rules }
        const sums = difference(before, after, top)
        await build(ctx.portsOf(database, given), given, (rows) => sums.add(rows), signal).catch(async (error) => {
          await ctx.generations.drop(database)
          if (!signal.aborted) throw error
          throw new Interrupted('the new tables were removed; the live tables are unchanged', null, {
            cause: error,
          })
        })
        const d = sums.result()
        writeDifference(d, await valuesOf(ctx.history.at(database), d), began, json, database)
        if (!json)
          stdout.write(
            `\nbuilt ${database}; run 'rescore promote ${database}' to make it live, or 'rescore drop ${database}' to remove it\n`,
          )
      })
    })

  withJson(rescore.command('promote <database>'))
    .description('make a built rescoring live; a repeated run completes an interrupted one')
    .action((database: string, { json }: Json) =>
      within(async (ctx) => {
        let told = await finishLast(ctx, signal)
        const state = await ctx.stateOf(database)
        const { heldMs } = await promote(ctx.portsOf(database, state), database, state, ctx.observe, signal)
        told += await finishLast(ctx, signal)
        const rules = bothRules(state).after.id
        if (json) return void stdout.write(document({ database, state: 'live', rules, pausedMs: heldMs, told }))
        stdout.write(
          `'${database}' is live with the rules '${rules}'; the jobs paused for ${(heldMs / 1000).toFixed(1)} s; changes of ${told} entities were published\n`,
        )
      }),
    )

  withJson(rescore.command('drop <database>'))
    .description('remove a built rescoring, or the previous tables')
    .action((database: string, { json }: Json) =>
      within(async (ctx) => {
        await ctx.generations.drop(database)
        stdout.write(json ? document({ removed: database }) : `removed '${database}'\n`)
      }),
    )

  withJson(rescore.command('show'), 'as one JSON document; this is also the default')
    .description('print the active rules as a file that the other commands accept')
    .action(() =>
      within(async (ctx) => {
        await finishLast(ctx, signal)
        stdout.write(document(rulesIn((await ctx.generations.current()).rules)))
      }),
    )
}

/**
 * Runs the stages of tests that are named, or all but the long ones. A stage that fails does not hide what the others have
 * to say. Says at the end what failed, what each stage cost beside its budget, when the long tests last ran, and
 * `N passed, N failed, N skipped`. Ends with 1 when anything failed or no test ran: `node tests/runner/main.ts [stage ...]`.
 */

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Cost, costTable, endedBelow } from './costs.ts'
import { lastLongRun, noteLongRun } from './long-run.ts'
import { notes } from './notes.ts'
import { environmentOf, missingFor, STAGES, type Stage } from './stages.ts'
import { failureLines, failures, readReport, totals } from './totals.ts'

const REPORTS = resolve('.cache/reports')
const reportOf = ({ name }: Stage): string => join(REPORTS, `${name}.json`)
const printedBy = ({ name }: Stage): string => join(REPORTS, `${name}.out`)
const isTests = ({ command }: Stage): boolean => command.includes('vitest')

const failed: string[] = []
const costs: Cost[] = []
/** CPU-seconds of what had ended when the last stage did: a stage is counted at its end, whatever runs beside it. */
let counted = 0

/** Null where the system does not tell. */
function spent(): number | null {
  try {
    return endedBelow(readFileSync('/proc/self/stat', 'utf8'))
  } catch {
    return null
  }
}

/** @param out where it prints to */
async function run(stage: Stage, out: number | 'inherit'): Promise<void> {
  const [program, ...args] = stage.command
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(stage)}`]
  const began = performance.now()
  const child = spawn(program!, isTests(stage) ? [...args, ...reports] : args, {
    env: environmentOf(stage, process.env),
    stdio: ['ignore', out, out],
  })
  const code = await new Promise((end) => {
    child.once('error', end)
    child.once('exit', end)
  })
  const all = spent()
  const cpuSeconds = all === null ? null : all - counted
  counted = all ?? 0
  if (code !== 0) failed.push(stage.name)
  costs.push({ stage, seconds: (performance.now() - began) / 1000, cpuSeconds })
}

/** What runs beside others is kept until all have ended. */
async function runKept(stage: Stage): Promise<void> {
  const out = openSync(printedBy(stage), 'w')
  await run(stage, out)
  closeSync(out)
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !STAGES.some((stage) => stage.name === name))
if (unknown.length > 0) {
  console.error(`no stage ${unknown.join(', ')}; the stages are ${STAGES.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })
// One first start of a platform for all stages (ADR 285).
const template = mkdtempSync(join(tmpdir(), 'harrier-template-'))
process.env.TEST_TEMPLATE = template
process.once('exit', () => rmSync(template, { recursive: true, force: true }))

const chosen = STAGES.filter(({ name, isLong }) => (names.length === 0 ? !isLong : names.includes(name)))
const withoutServers = chosen.filter((stage) => missingFor(stage, process.env).length > 0)
const stages = chosen.filter((stage) => !withoutServers.includes(stage))
for (const stage of withoutServers) {
  console.log(`skipped: the stage ${stage.name} needs ${missingFor(stage, process.env).join(', ')}`)
  // Where servers are promised, none may be missing.
  if (process.env.CI) failed.push(stage.name)
}
/** One after the other, while the others run beside them: each waits for much of its time, and there are two processors. */
const besides = stages.length > 1 ? stages.filter(({ isBeside }) => isBeside) : []
const beside = besides.reduce((before, stage) => before.then(() => runKept(stage)), Promise.resolve())
for (const stage of stages.filter((one) => !besides.includes(one))) {
  console.log(`--- ${stage.name}`)
  await run(stage, 'inherit')
}
await beside
for (const stage of besides)
  console.log(`--- ${stage.name}, which ran beside\n${readFileSync(printedBy(stage), 'utf8')}`)

const tested = stages.filter(isTests)
const long = tested.filter(({ isLong }) => isLong)
if (long.length > 0) noteLongRun(Date.now(), totals(long.map((stage) => readReport(reportOf(stage)))))
const all = tested.flatMap((stage) => failures(stage.name, readReport(reportOf(stage))))
for (const line of [...costTable(costs), ...notes(), lastLongRun(), ...failureLines(all)]) console.log(line)
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`)
const sum = totals(tested.map((stage) => readReport(reportOf(stage))))
// A stage that failed without a failed test, as one that has no tests can, is one failure.
const failedTests = (name: string): number =>
  tested.some((stage) => stage.name === name) ? totals([readReport(join(REPORTS, `${name}.json`))]).failed : 0
sum.failed += failed.filter((name) => failedTests(name) === 0).length
const line = `${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`
// For who runs this and has more to say on the way out.
writeFileSync(join(REPORTS, 'sum'), `${line}\n`)
console.log(line)
process.exitCode = sum.failed > 0 || (tested.length > 0 && sum.passed === 0) ? 1 : 0

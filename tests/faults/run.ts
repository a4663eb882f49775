import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fault, type NamedTest, planted, SERVERS, startsProgram } from './fault.ts'
import { type Report, type Verdict, verdictOf } from './verdict.ts'

const BUILD_MS = 120_000
const TEST_MS = 420_000
const KEPT_OUTPUT = 4_000

/** What runs now, with all that it started. */
let running: ChildProcess | undefined

/** Ends what runs now: a test may have started a platform, whose group is that of the test. */
export function endRunning(): void {
  if (running?.pid === undefined) return
  try {
    process.kill(-running.pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Runs a program to its end or for so long. @returns its exit code, null when it was ended, and the end of its output */
async function ran(
  cwd: string,
  args: string[],
  withinMs: number,
  server?: NamedTest['server'],
): Promise<{ code: number | null; output: string }> {
  const others = SERVERS.filter((name) => name !== server).map((name) => [name, undefined])
  const env = { ...process.env, ...Object.fromEntries(others) }
  const child = spawn(process.execPath, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running = child
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = (output + chunk).slice(-KEPT_OUTPUT)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const late = setTimeout(endRunning, withinMs)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(late)
  endRunning()
  running = undefined
  return { code, output }
}

async function tested(folder: string, { project, file, title, server, says }: NamedTest): Promise<Verdict> {
  const report = join(folder, '.cache/fault.json')
  rmSync(report, { force: true })
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, file, '-t', title]
  const { code } = await ran(folder, [...args, '--reporter=json', `--outputFile=${report}`], TEST_MS, server)
  if (code === null) return { found: false, why: `the test did not end within ${TEST_MS / 1000} s` }
  return verdictOf(read(report), says)
}

/** null: the run wrote none, or not to its end. */
function read(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return null
  }
}

/** Plants a fault in the copy of a checkout, runs its test, and takes the fault back. */
export async function look(folder: string, fault: Fault): Promise<Verdict> {
  const path = join(folder, fault.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, planted(source, fault))
  try {
    if (startsProgram(fault.test))
      for (const build of ['console/build.js', 'bin/build.js']) {
        const { code, output } = await ran(folder, [build], BUILD_MS)
        if (code !== 0) return { found: false, why: `${build} ends with ${code}: ${output.trim().split('\n').at(-1)}` }
      }
    return await tested(folder, fault.test)
  } finally {
    writeFileSync(path, source)
  }
}

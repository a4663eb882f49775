/**
 * Checks what was changed since the branch left `main`, or since the last commit on `main` itself: format and lint of the
 * changed files, types of everything, the unit tests of what was changed. `npm run check:fast [-- <commit>]` compares
 * with another commit. It is for work in progress; `make check` and the suites decide, which also look for promises that
 * nobody waits for.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fastLint } from './fast-lint.ts'
import { relatedTests } from './related-tests.ts'

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' })
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** Resolves with what the command wrote and whether it failed. */
function run(
  name: string,
  command: string,
  args: readonly string[],
): Promise<{ name: string; output: string; failed: boolean }> {
  const child = spawn('npx', ['--no-install', command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve) => child.on('close', (code) => resolve({ name, output, failed: code !== 0 })))
}

const base = process.argv[2] ?? git('merge-base', 'HEAD', 'main').trim()
const changed = [
  ...lines(git('diff', '--name-only', '--diff-filter=ACMR', base)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
].filter((file) => existsSync(file))
const tests = relatedTests(changed, lines(git('ls-files', '-co', '--exclude-standard', 'tests/unit/**/*.test.ts')))

const newestData = Math.max(
  ...lines(git('ls-files', '-co', '--exclude-standard', '*.json'))
    .filter((path) => existsSync(path))
    .map((path) => statSync(path).mtimeMs),
)

/** Arguments that keep what the compiler knows of unchanged files. */
function remembered(file: string): string[] {
  // The compiler does not check the importers of a changed JSON file again: then it starts anew.
  if (existsSync(file) && statSync(file).mtimeMs <= newestData) rmSync(file)
  // Two compilers run beside the tests: more checkers in each would only do the work of one twice.
  return ['--incremental', '--checkers', '1', '--tsBuildInfoFile', file]
}

const began = performance.now()
mkdirSync('.cache', { recursive: true })
const lintRules = resolve('.cache/fast-biome.json')
writeFileSync(lintRules, fastLint(readFileSync('biome.json', 'utf8'), process.cwd()))
const results = await Promise.all([
  ...(changed.length === 0
    ? []
    : [
        run('lint', 'biome', [
          'check',
          `--config-path=${lintRules}`,
          '--error-on-warnings',
          '--no-errors-on-unmatched',
          '--files-ignore-unknown=true',
          ...changed,
        ]),
      ]),
  run('types', 'tsc', ['--noEmit', ...remembered('.cache/fast-types.tsbuildinfo')]),
  run('types of the console', 'tsc', [
    '--noEmit',
    '-p',
    'console',
    ...remembered('.cache/fast-types-console.tsbuildinfo'),
  ]),
  run('tests', 'vitest', ['run', '--project', 'unit', '--reporter=dot', ...tests]),
])
for (const { name, output, failed } of results) if (failed) process.stderr.write(`--- ${name} failed\n${output}\n`)
const seconds = ((performance.now() - began) / 1000).toFixed(1)
const failed = results.filter((result) => result.failed)
console.log(
  `${changed.length} changed files, ${tests.length} test files, ${seconds} s: ${failed.length === 0 ? 'ok' : 'failed'}`,
)
process.exitCode = failed.length === 0 ? 0 : 1

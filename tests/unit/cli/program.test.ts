import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { COMMAND_GROUPS } from '../../../cli/command-groups.ts'
import { harrier } from '../../../cli/program.ts'
import { HARRIER } from '../../builders/platform/command.ts'

const { env, stdin, stdout, stderr } = process
const run = promisify(execFile)
/** The sources, whose modules have the names of their files; a build is made of what these import (ADR 285). */
const MAIN = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url))
/** Prints the address of every module that the process loads. */
const LIST_MODULES = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { console.log(url); return next(url, context) } })",
)}`
const ROLES = ['up', 'api', 'observe', 'follow', 'scan-worker', 'lifecycle']
const parts = { env, stdin, stdout, stderr, signal: new AbortController().signal }
const program = await harrier(parts)

const paths = (command: Command): string[] =>
  command.commands.flatMap((child) =>
    child.commands.length === 0 ? [child.name()] : paths(child).map((path) => `${child.name()} ${path}`),
  )

describe('the command line', () => {
  test.each(ROLES)('%s is a command of its own', (role) => {
    expect(paths(program)).toContain(role)
  })

  test('has the group of the wanted command alone, as it is in the whole; all groups for any other word', async () => {
    const whole = paths(program)
    for (const { names } of COMMAND_GROUPS)
      for (const name of names) {
        const of = (path: string): boolean => names.includes(path.split(' ', 1)[0]!)
        expect(paths(await harrier(parts, name))).toEqual([...ROLES, ...whole.filter(of)])
      }
    expect(paths(await harrier(parts, 'observe'))).toEqual(ROLES)
    for (const name of [undefined, '--help', 'count']) expect(paths(await harrier(parts, name))).toEqual(whole)
  })

  test('a process loads no role and no command but its own', async () => {
    const loads = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await run(process.execPath, ['--import', LIST_MODULES, MAIN, ...args], {
        env: { NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE },
      }).catch((ended: { stdout: string }) => ended)
      return [...new Set(stdout.match(/(?<=\/)(?:roles|commands)\/[a-z-]+/g))]
    }
    expect(await loads('counts', '--help')).toEqual([
      'commands/counts',
      'commands/output',
      'commands/table',
      'commands/values',
    ])
    // It ends at once: it needs the address of a store.
    for (const role of ['observe', 'follow']) expect(await loads(role)).toEqual([`roles/${role}`, 'roles/give-back'])
  })

  test('every command says what it does', () => {
    const silent = (command: Command): string[] =>
      command.commands.flatMap((child) => [...(child.description() === '' ? [child.name()] : []), ...silent(child)])
    expect(silent(program)).toEqual([])
  })
})

test('the version is that of the package', async () => {
  const { stdout } = await run(process.execPath, [HARRIER, '--version'], { env: {} })
  expect(stdout.trim()).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
})

describe('a command line that cannot be used', () => {
  const refused = async (...args: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-usage-'))
    try {
      const { code, stderr } = await run(process.execPath, [HARRIER, ...args], {
        env: { HARRIER_DATA_DIR: join(folder, 'data') },
      }).then(
        () => ({ code: 0, stderr: '' }),
        (ended: { code: number; stderr: string }) => ended,
      )
      expect(readdirSync(folder)).toEqual([])
      return [code, stderr]
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test.each([
    [['feed', 'publish', 'x', '--selector', '{}', '--cap', 'abc'], "option '--cap <n>' argument 'abc' is invalid"],
    [['feed', 'publish', 'x', '--selector', '@/no/such.json'], '/no/such.json: no such file or folder'],
    [['feed', 'publish', 'x'], '--selector is required'],
    [['feed', 'retract', 'f', '--from', 'yesterday'], "option '--from <time>' argument 'yesterday' is invalid"],
    [['feed', 'import', '/no/such.csv', '--format', 'lines', '--feed', 'f'], '/no/such.csv: no such file or folder'],
    [['feed', 'register', 'f', '--trust', '2'], "option '--trust <weight>' argument '2' is invalid"],
    [['feed', 'register', 'f', '--trust', '1', '--owner', 'me'], 'owner "me" is invalid: it must be customer:<UUID>'],
    [['feed', 'nothing'], "unknown command 'nothing'"],
    [['counts', 'check', '--nothing'], "unknown option '--nothing'"],
    [['fedd', 'list'], "unknown command 'fedd'\n(Did you mean feed?)"],
    [['xyzzy'], "unknown command 'xyzzy'\nharrier --help lists the commands"],
    [['feed', 'imprt'], "unknown command 'imprt'\n(Did you mean import?)"],
  ])('%j ends with 2, says why and makes no folder', async (args, why) => {
    expect(await refused(...args)).toEqual([2, expect.stringContaining(`harrier: ${why}`)])
  })

  test.each([
    ['feed', 'verify'],
    ['feed', 'list'],
    ['feed', 'retract', 'f', '--from', '7d'],
    ['counts', 'check'],
    ['dead-letters', 'list'],
    ['lag'],
  ])('%s %s without a platform says which folder was looked into, and makes none', async (...args) => {
    const [code, said] = await refused(...args.filter((word) => word !== undefined))
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^harrier: no platform was started on .*\(harrier up\).*HARRIER_DATA_DIR/),
    ])
  })
})

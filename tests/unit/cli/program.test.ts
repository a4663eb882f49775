import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { COMMAND_GROUPS } from '../../../cli/command-groups.ts'
import { harrier } from '../../../cli/program.ts'

const { env, stdin, stdout, stderr } = process
const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url))
/** Prints the address of every module that the process loads. */
const LIST_MODULES = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { console.log(url); return next(url, context) } })",
)}`
const ROLES = ['up', 'api', 'observe', 'scan-worker', 'lifecycle']
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
      const { stdout } = await run(process.execPath, ['--import', LIST_MODULES, MAIN, ...args], { env: {} }).catch(
        (ended: { stdout: string }) => ended,
      )
      return [...new Set(stdout.match(/(?<=\/)(?:roles|commands)\/[a-z-]+/g))]
    }
    expect(await loads('counts', '--help')).toEqual(['commands/counts'])
    // It ends at once: it needs the address of a store.
    expect(await loads('observe')).toEqual(['roles/observe'])
  })

  test('every command says what it does', () => {
    const silent = (command: Command): string[] =>
      command.commands.flatMap((child) => [...(child.description() === '' ? [child.name()] : []), ...silent(child)])
    expect(silent(program)).toEqual([])
  })

  test('every command that a document shows is there', () => {
    const documents = [
      'README.md',
      'docs/running.md',
      'docs/demo.md',
      'docs/architecture.md',
      'docs/producers.md',
      'docs/runbooks/dead-letters.md',
      'docs/runbooks/breaker.md',
      'docs/runbooks/lag.md',
    ]
    const shown = documents.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/(?:npm run (?:--silent )?harrier -- |`harrier )([a-z-]+)/g),
    ])
    expect(shown.length).toBeGreaterThan(5)
    const known = new Set(program.commands.map((command) => command.name()))
    expect(shown.map(([, name]) => name!).filter((name) => !known.has(name))).toEqual([])
  })
})

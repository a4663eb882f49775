import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { COMMAND_GROUPS } from '../../../cli/command-groups.ts'
import { harrier } from '../../../cli/program.ts'

const { env, stdin, stdout, stderr } = process
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

  test('only the group of the wanted command is loaded, and it is the same as in the whole', async () => {
    for (const { names } of COMMAND_GROUPS)
      for (const name of names) {
        const alone = (await harrier(parts, name)).commands.map((command) => command.name())
        expect(alone).toEqual([...ROLES, ...names])
      }
    expect((await harrier(parts, 'observe')).commands.map((command) => command.name())).toEqual(ROLES)
    for (const name of [undefined, '--help', 'count']) expect(paths(await harrier(parts, name))).toEqual(paths(program))
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

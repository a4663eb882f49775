import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { registerRescore } from '../../../../cli/commands/rescore/register.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const folder = ownFolder('rules')

async function run(...words: string[]) {
  let told = ''
  let opened = 0
  const write = (text: string) => {
    told += text
  }
  const program = new Command().exitOverride().configureOutput({ writeErr: write, writeOut: write })
  const open = async () => {
    opened++
    throw new Error('opened')
  }
  registerRescore(program, open, { stdout: { write }, signal: new AbortController().signal })
  const every = (command: Command): Command[] => [command, ...command.commands.flatMap(every)]
  for (const command of every(program)) command.exitOverride().configureOutput({ writeErr: write, writeOut: write })
  const ended = await program.parseAsync(['rescore', ...words], { from: 'user' }).then(
    () => 0,
    (error: { exitCode?: number; message: string }) => {
      told += error.message
      return error.exitCode ?? error.message
    },
  )
  return { told, ended, opened }
}

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('rules with a fault are refused by name before anything is opened', async () => {
  const path = file('bad.json', '{"id": "r", "halfLives": {"ipv7": 3}, "trust": {"feed:x": 2}}')
  for (const word of ['try', 'build']) {
    const { told, ended, opened } = await run(word, path)
    expect([ended, opened]).toEqual([2, 0])
    expect(told).toContain(`${path}: trust.feed:x: 2 is out of range; expected above 0 and at most 1`)
    expect(told).toContain('halfLives.ipv7: unknown entity type')
  }
})

test('a file that is no JSON, or is not there, is named', async () => {
  expect((await run('try', file('no.json', 'x'))).told).toContain('rules: not valid JSON')
  const missing = await run('try', join(folder, 'missing.json'))
  expect([missing.ended, missing.opened]).toEqual([2, 0])
  expect(missing.told).toContain('missing.json: no such file or folder')
})

test('how many movers are named is a number within bounds', async () => {
  const good = file('good.json', '{"id": "r"}')
  for (const top of ['-1', '1.5', '1001', 'x'])
    expect((await run('try', good, `--top=${top}`)).told).toContain('a whole number from 0 to 1000')
  expect((await run('try', good, '--top=0')).ended).toBe('opened')
})

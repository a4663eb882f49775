import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { harrier } from '../../../cli/program.ts'

/** Decisions and the changelog speak of the day they were written on. */
const HISTORY = /^(docs\/contribute\/adr\/|CHANGELOG\.md)/
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !HISTORY.test(file))
const { env, stdin, stdout, stderr } = process
const program = await harrier({ env, stdin, stdout, stderr, signal: new AbortController().signal })

/** `kubectl -n harrier ...` names a namespace. A part in `$(...)` is a command of another program. */
const START =
  /(?<!(?:^|\s)-[nu])(?:^|[\s(`|;&'"])(?:npm run (?:-s |--silent )?harrier -- |(?:\S*\/)?harrier(?:\.js)? )([a-z][^`|;&>#$\n]*)/g

/** What stands in code: between backticks, or in a fence, with lines that go on put together. */
const codeOf = (text: string): string[] => {
  const fences = [...text.matchAll(/^ *```(?:(?:sh|bash|console)(?: [^\n]*)?)?\n([\s\S]*?)^ *```/gm)].map(
    ([, code]) => code!,
  )
  const inline = [...text.replace(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)
  return [...inline, ...fences.flatMap((code) => code.replace(/\\\n\s*/g, ' ').split('\n'))]
}

/** The command lines that a document shows, without the program. */
const shownIn = (file: string): string[] =>
  codeOf(readFileSync(file, 'utf8')).flatMap((code) => [...code.matchAll(START)].map(([, line]) => line!.trim()))

const optionsOf = (command: Command): Set<string> => {
  const found = new Set(['--help', '-h', '--version'])
  for (let at: Command | null = command; at !== null; at = at.parent)
    for (const { long, short, negate } of at.options)
      for (const name of [long, short, negate ? undefined : long?.replace('--', '--no-')]) if (name) found.add(name)
  return found
}

/** What there is not of a command line; null: everything is there. Places for values may have any text. */
const missing = (line: string): string | null => {
  let at: Command = program
  for (const word of line.split(/\s+/)) {
    const bare = word.replace(/^\[|[\],.:]+$/g, '')
    if (bare.startsWith('-')) {
      if (/^--?[a-z]/.test(bare) && !optionsOf(at).has(bare.replace(/=.*/, ''))) return bare
    } else if (at.commands.length > 0) {
      const names = bare.split('|')
      const found = names.map((name) => at.commands.find((of) => of.name() === name || of.aliases().includes(name)))
      if (found.every((of) => of !== undefined)) at = found[0]!
      else if (/^[a-z][a-z-]*$/.test(bare)) return bare
      else return null
    }
  }
  return null
}

describe('the command lines that documents show', () => {
  test('are found in every runbook that has some', () => {
    const runbooks = files.filter((file) => file.startsWith('docs/operate/runbooks/'))
    expect(runbooks.filter((file) => shownIn(file).length > 0).length).toBeGreaterThan(8)
    expect(missing('feed nothing')).toBe('nothing')
    expect(missing('feed list --nothing')).toBe('--nothing')
    expect(missing('feed list --json')).toBeNull()
  })

  test.each(files)('%s shows commands and options that there are', (file) => {
    const wrong = shownIn(file).flatMap((line) => {
      const what = missing(line)
      return what === null ? [] : [`${line}: ${what}`]
    })
    expect(wrong).toEqual([])
  })
})

test('scripts of npm and targets of make that documents show are there', () => {
  const scripts = JSON.parse(readFileSync('package.json', 'utf8')).scripts as Record<string, string>
  const targets = readFileSync('Makefile', 'utf8')
  const code = files.flatMap((file) => codeOf(readFileSync(file, 'utf8')))
  const named = (pattern: RegExp) => code.flatMap((line) => [...line.matchAll(pattern)].map(([, name]) => name!))
  const npm = named(/(?:^|\s)npm run (?:-s |--silent )?([a-z][a-z:-]*)/g)
  expect(npm.length).toBeGreaterThan(10)
  expect(npm.filter((name) => !(name in scripts))).toEqual([])
  const make = named(/^(?:\S+=\S+ )?make ([a-z][a-z0-9-]*)/g)
  expect(make.length).toBeGreaterThan(5)
  expect(make.filter((name) => !new RegExp(`^${name}:`, 'm').test(targets))).toEqual([])
})

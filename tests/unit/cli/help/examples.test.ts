import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { EXAMPLES } from '../../../../cli/help/examples.ts'
import { harrier } from '../../../../cli/program.ts'
import { readSelector } from '../../../../schemas/intelligence/selectors/read.ts'

const { stdin } = process

/** The words of a line as a shell takes them, with quotes; what follows `>` is where the output goes. */
function shellWords(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain!,
  )
  const to = words.indexOf('>')
  return to === -1 ? words : words.slice(0, to)
}

const NO_JSON = ['edge', 'up', 'api', 'observe', 'follow', 'scan-worker', 'lifecycle', 'completion']
/** Their output is a document of another form. */
const DOCUMENTS = ['feed get', 'export misp', 'export stix', 'guide']

const whole = () =>
  harrier({ env: {}, stdin, stdout: process.stdout, stderr: process.stderr, signal: new AbortController().signal })

/** One that has commands below it, and does something by itself. */
const ALSO_ALONE = ['edge']

/** The commands that do something, by their words. */
function leaves(command: Command, path = ''): [string, Command][] {
  return command.commands.flatMap((child) => {
    const words = `${path}${child.name()}`
    const own: [string, Command][] = child.commands.length === 0 || ALSO_ALONE.includes(words) ? [[words, child]] : []
    return [...own, ...leaves(child, `${words} `)]
  })
}

const program = await whole()
const commands = leaves(program)

describe('every command', () => {
  test('has an example, and no example is of another command', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(commands.map(([path]) => path).sort())
  })

  test('that prints something prints JSON on request', () => {
    const without = commands.filter(([, command]) => !command.options.some(({ long }) => long === '--json'))
    expect(without.map(([path]) => path).sort()).toEqual([...NO_JSON, ...DOCUMENTS].sort())
  })

  test('shows its examples in its help', () => {
    for (const [path, command] of commands) {
      const out = new PassThrough()
      command.configureOutput({ writeOut: (text) => void out.write(text) }).outputHelp()
      const [line] = EXAMPLES[path]![0]!
      expect(String(out.read())).toContain(`Examples:\n  # ${EXAMPLES[path]![0]![1]}\n  harrier ${line}`)
    }
  })
})

describe('an example', () => {
  const lines = Object.entries(EXAMPLES).flatMap(([path, all]) => all.map(([line]) => ({ path, line })))

  test.each(lines)('is taken by the parser: $line', async ({ path, line }) => {
    let ran = ''
    const fresh = await whole()
    for (const [name, command] of leaves(fresh))
      command.action(() => {
        ran = name
      })
    await fresh.parseAsync(shellWords(line), { from: 'user' })
    expect(ran).toBe(path)
    for (const [, text] of line.matchAll(/--selector '([^']*)'/g))
      expect(readSelector(JSON.parse(text!))).toMatchObject({ ok: true })
  })
})

import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { EXAMPLES } from '../../../cli/help/examples.ts'
import { harrier } from '../../../cli/program.ts'
import { faultsOfText } from '../../builders/infra/faults-of-text.ts'

const { stdin, stdout, stderr } = process

/** The descriptions of a command, of its options and of the commands below it. */
const textsOf = (command: Command): string[] => [
  command.description(),
  ...command.options.map(({ description }) => description),
  ...command.commands.flatMap(textsOf),
]

const program = await harrier({ env: {}, stdin, stdout, stderr, signal: new AbortController().signal })

test('texts of the help are read once', () => {
  const texts = textsOf(program)
  expect(texts.length).toBeGreaterThan(100)
  expect(texts.flatMap(faultsOfText)).toEqual([])
  expect(Object.values(EXAMPLES).flatMap((examples) => examples.flatMap(([, does]) => faultsOfText(does)))).toEqual([])
})

import type { Command } from 'commander'
import { ACCOUNTS } from './accounts-examples.ts'
import type { Example } from './example.ts'
import { FEEDS } from './feeds-examples.ts'
import { FIRST_STEPS, OPERATION, ROLES, STORES } from './operation-examples.ts'

/** Examples by the words of a command. A test parses each of them; every command has one. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  ...ROLES,
  ...FEEDS,
  ...ACCOUNTS,
  ...OPERATION,
  ...STORES,
}

/** Adds its examples to the help of every command. */
export function showExamples(program: Command, path = ''): void {
  if (path === '') addExamples(program, FIRST_STEPS)
  for (const command of program.commands) {
    const words = `${path}${command.name()}`
    const examples = EXAMPLES[words]
    if (examples !== undefined) addExamples(command, examples)
    showExamples(command, `${words} `)
  }
}

const addExamples = (command: Command, examples: readonly Example[]): void =>
  void command.addHelpText('after', () => `\n${shown(examples)}`)

const shown = (examples: readonly Example[]): string =>
  ['Examples:', ...examples.flatMap(([line, does]) => [`  # ${does}`, `  harrier ${line}`])].join('\n')

import type { Command } from 'commander'

/** One option, as it is completed. */
export type Flag = {
  /** `--format`, and the short form where there is one. */
  names: readonly string[]
  description: string
  takesValue: boolean
  /** The values that there are; empty when it may be anything. */
  choices: readonly string[]
}

/** A command with its path from the program on: `harrier feed import`. */
export type Place = {
  path: string
  commands: readonly { name: string; description: string }[]
  flags: readonly Flag[]
  /** Whether words follow that are no commands: file names are offered for them. */
  takesWords: boolean
}

const HELP: Flag = { names: ['--help', '-h'], description: 'display help for command', takesValue: false, choices: [] }

/** All places of a program, from what it declares itself. */
export function placesOf(command: Command, path = command.name()): Place[] {
  const inner = command.commands
  const flags = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description, required, optional, argChoices }) => ({
      names: [long, short].filter((name) => name != null),
      description,
      takesValue: required || optional,
      choices: argChoices ?? [],
    }))
  // The first argument may be one of a few words: they are offered as commands are.
  const known = (command.registeredArguments[0]?.argChoices ?? []).map((name) => ({ name, description: '' }))
  const place: Place = {
    path,
    commands: [...inner.map((one) => ({ name: one.name(), description: one.description() })), ...known],
    flags: [...flags, HELP],
    takesWords: command.registeredArguments.length > 0 && known.length === 0,
  }
  return [place, ...inner.flatMap((one) => placesOf(one, `${path} ${one.name()}`))]
}

/** Text between single quotes of bash and zsh. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Every path but that of the program, as one pattern of a `case`. */
export const pathPattern = (places: readonly Place[]): string =>
  places
    .slice(1)
    .map(({ path }) => inQuotes(path))
    .join('|')

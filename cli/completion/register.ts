import { Argument, type Command } from 'commander'
import { type Flag, inQuotes, type Place, pathPattern, placesOf } from './tree.ts'
import { zshScript } from './zsh.ts'

/** The same for fish, with descriptions. */
export const fishScript = (places: readonly Place[]): string => `# Completion of harrier in fish.
function __harrier_at --description 'Whether the line is at this command of harrier'
    set -l at harrier
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case ${pathPattern(places).replaceAll("'|'", "' '")}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c harrier -f
${places.flatMap(lines).join('\n')}
`

function lines({ path, commands, flags, takesWords }: Place): string[] {
  const here = `complete -c harrier -n ${text(`__harrier_at '${path}'`)}`
  return [
    ...commands.map(({ name, description }) => `${here} -a ${name} -d ${text(description)}`),
    ...flags.map((flag) => `${here} ${option(flag)} -d ${text(flag.description)}`),
    ...(takesWords ? [`${here} -F`] : []),
  ]
}

function option({ names, takesValue, choices }: Flag): string {
  const named = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ')
  if (choices.length > 0) return `${named} -x -a ${inQuotes(choices.join(' '))}`
  return takesValue ? `${named} -r -F` : named
}

/** Between single quotes of fish, where a backslash escapes. */
const text = (words: string): string => `'${words.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A script of bash 4 or later that completes commands, options and their known values; elsewhere file names. */
export const bashScript = (places: readonly Place[]): string => `# Completion of harrier in bash.
_harrier() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at=harrier words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${pathPattern(places)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${places.map(wordCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _harrier harrier
`

/** After an option with a value: its choices, or nothing, which leaves file names. */
const valueCases = ({ path, flags }: Place): string[] =>
  flags
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices }) => {
      const pattern = names.map((name) => inQuotes(`${path} ${name}`)).join('|')
      const reply = choices.length === 0 ? '' : `COMPREPLY=($(compgen -W ${inQuotes(choices.join(' '))} -- "$cur")); `
      return `    ${pattern}) ${reply}return ;;`
    })

const wordCase = ({ path, commands, flags }: Place): string => {
  const words = [...commands.map(({ name }) => name), ...flags.map(({ names }) => names[0])]
  return `    ${inQuotes(path)}) words=${inQuotes(words.join(' '))} ;;`
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }
type Shell = keyof typeof SCRIPTS

/** Adds `completion` to the program: a script for a shell, made from what all commands declare (ADR 281). */
export function registerCompletion(
  program: Command,
  whole: () => Promise<Command>,
  stdout: { write(text: string): unknown },
): void {
  program
    .command('completion')
    .description('print a script that completes commands, options and values in a shell')
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(Object.keys(SCRIPTS)))
    .action(async (shell: Shell) => void stdout.write(SCRIPTS[shell](placesOf(await whole()))))
}

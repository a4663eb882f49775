import { inQuotes, type Place, pathPattern } from './tree.ts'

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

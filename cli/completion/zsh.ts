import { inQuotes, type Place, pathPattern } from './tree.ts'

/** The same for zsh, with descriptions: as a file `_harrier` in `fpath`, or read by `source`. */
export const zshScript = (places: readonly Place[]): string => `#compdef harrier
# Completion of harrier in zsh.
_harrier() {
  local at=harrier i
  local -a commands flags
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${pathPattern(places)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${places.map(wordCase).join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o option flags
  elif (( \${#commands} )); then
    _describe command commands
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _harrier ]]; then
  _harrier "$@"
else
  compdef _harrier harrier
fi
`

const valueCases = ({ path, flags }: Place): string[] =>
  flags
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices }) => {
      const pattern = names.map((name) => inQuotes(`${path} ${name}`)).join('|')
      return `    ${pattern}) ${choices.length === 0 ? '_files' : `compadd -- ${choices.map(inQuotes).join(' ')}`}; return ;;`
    })

const wordCase = ({ path, commands, flags }: Place): string => {
  const told = (name: string, description: string): string => inQuotes(`${name}:${description}`)
  const shown = commands.map(({ name, description }) => told(name, description))
  const options = flags.map(({ names, description }) => told(names[0]!, description))
  return `    ${inQuotes(path)}) commands=(${shown.join(' ')}); flags=(${options.join(' ')}) ;;`
}

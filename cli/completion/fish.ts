import { type Flag, inQuotes, type Place, pathPattern } from './tree.ts'

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

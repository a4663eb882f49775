/** A command as it was typed, so that it can be typed again. */

/** What needs no quotes in a shell. */
const PLAIN = /^[\w@%+=:,./-]+$/

const quoted = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** How this program is started here: npm names the script that it runs. */
export const calledAs = (env: NodeJS.ProcessEnv): string =>
  env.npm_lifecycle_event === 'harrier' ? 'npm run harrier --' : 'harrier'

/** The whole line. A URL with a password is not repeated: terminals are recorded. */
export function typed(words: readonly string[], env: NodeJS.ProcessEnv): string {
  const hasSecret = words.some((word) => URL.canParse(word) && new URL(word).password !== '')
  return hasSecret ? 'type the same command again' : [calledAs(env), ...words.map(quoted)].join(' ')
}

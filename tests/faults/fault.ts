/** One careless change of the product, and the test that must not pass with it. */
export type Fault = {
  /** What is wrong, in words. */
  name: string
  /** A file of the product, from the root of the repository. */
  file: string
  /** What stands there, once. */
  text: string
  /** What stands there with the fault. */
  instead: string
  test: NamedTest
}

/** What may name a server. A test is given the one that it asks for: with another it would be another test. */
export const SERVERS = [
  'DATABASE_URL',
  'KAFKA_BROKERS',
  'SCHEMA_REGISTRY_URL',
  'CLICKHOUSE_URL',
  'KEYCLOAK_URL',
] as const
type Server = (typeof SERVERS)[number]

export type NamedTest = {
  project: 'unit' | 'platform'
  /** From the root of the repository. */
  file: string
  /** A regular expression for the titles of the tests of the file that run, as `vitest -t` takes it. */
  title: string
  /** A variable of the environment that names a server. Without it the fault is not looked for. */
  server?: Server
  /** How the first line of a failure begins where it is neither an assertion nor a wait in vain. */
  says?: string
}

/** The text of a file with the fault in it. @throws Error unless what it changes stands there once */
export function planted(source: string, { file, text, instead }: Pick<Fault, 'file' | 'text' | 'instead'>): string {
  const times = source.split(text).length - 1
  if (times !== 1) throw new Error(`stands ${times} times in ${file}: ${text}`)
  // A function: of a text `$&` would mean something.
  return source.replace(text, () => instead)
}

/** Tests of the whole program start what was built of it. */
export const startsProgram = ({ file }: NamedTest): boolean => /^tests\/(e2e|chaos)\//.test(file)

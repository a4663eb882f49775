import { denied } from './refused.ts'
import { isMark, type SqlToken } from './tokens.ts'

/**
 * What the engine must not be asked over HTTP: everything that reaches past its data folder (files, sockets,
 * programs). An operator's password is needed to ask at all; this keeps a stolen one from becoming a shell.
 */

const FUNCTIONS = new Set(
  (
    'file filecluster filesystem url urlcluster executable remote remotesecure cluster clusterallreplicas loop eval ' +
    's3 s3cluster gcs oss cosn hdfs hdfscluster azureblobstorage azureblobstoragecluster mysql postgresql mongodb redis ' +
    'sqlite odbc jdbc ytsaurus hudi hudicluster arrowstream python input prometheusquery prometheusqueryrange ' +
    // `SETTINGS disk = disk(type = ..., path = ...)`: a table of any other folder or server.
    'catboostevaluate disk'
  ).split(' '),
)
/** Functions with values; as a name alone they are called too: `arrayMap(file, ['/etc/passwd'])`, `APPLY file`. */
const SCALARS = new Set(
  'file catboostevaluate aiclassify aiembed aiextract aigenerate aitranslate icebergtruncate'.split(' '),
)
const LAKES = /^(deltalake|iceberg|paimon)/

/** Engines of tables and databases that keep everything inside the data folder. */
const ENGINES = new Set(
  (
    'memory log tinylog stripelog null set join merge buffer view materializedview windowview generaterandom dictionary ' +
    'alias atomic distributed'
  ).split(' '),
)
const FAMILY = /^(?!replicated).*mergetree$/

/**
 * Settings that change how a statement or its data are read, that hold an expression of their own, or that name a file
 * or another server. What a statement says of itself comes too late to change how it is read, but is refused with the
 * others.
 */
const SETTINGS = new RegExp(
  `^(?:${[
    '(?:polyglot_)?dialect|allow_experimental_\\w+_dialect|implicit_\\w+|additional_\\w+',
    'format_(?:schema|template|avro_schema_registry)\\w*|input_format_record_errors_file_path',
    'input_format_values_(?:interpret_expressions|deduce_templates_of_expressions)',
  ].join('|')})$`,
)

/** The data of an INSERT are no SQL: `VALUES (file('/etc/passwd'))` would read that file. */
export const NO_EXPRESSIONS: Readonly<Record<string, string>> = {
  input_format_values_interpret_expressions: '0',
  input_format_values_deduce_templates_of_expressions: '0',
}

const STATEMENTS = new Set(
  (
    'select with from insert create drop alter optimize truncate show describe desc explain exists exchange rename kill ' +
    'check delete update set system undrop values'
  ).split(' '),
)

/** Words of SYSTEM statements that end the process, stop it for a time, or make it fail. */
const STOPS = new Set(['shutdown', 'kill', 'suspend', 'failpoint', 'fuzzer'])

const quote = (word: string): string => `'${word.slice(0, 60)}'`

/** Throws ACCESS_DENIED (497) that names the setting which is not allowed. */
export const refuseSettings = (settings: Readonly<Record<string, string>>): void => {
  for (const name of Object.keys(settings))
    if (SETTINGS.test(name.toLowerCase())) throw denied(`the setting ${quote(name)} is not allowed here`)
}

/** Whether an identifier parameter names one of those functions: `arrayMap({f:Identifier}, ['/etc/passwd'])`. */
export const isOutside = (name: string): boolean => SCALARS.has(name.trim().toLowerCase())

/** Throws ACCESS_DENIED (497) that names what is not allowed. */
export const refuseOutside = (tokens: readonly SqlToken[]): void => {
  const first = tokens.find((token) => !isMark(token, '('))
  const verb = first?.kind === 'word' ? first.text.toLowerCase() : ''
  if (!STATEMENTS.has(verb)) throw denied(`${quote(verb)} statements are not allowed here`)
  tokens.forEach((token, i) => {
    if (token.kind !== 'word' && token.kind !== 'quoted') return
    const word = token.text.toLowerCase()
    const after = tokens[i + 1]?.text
    if (SETTINGS.test(word) && isMark(tokens[i + 1], '='))
      throw denied(`the setting ${quote(word)} is not allowed here`)
    const reaches = after === '(' ? FUNCTIONS.has(word) || LAKES.test(word) : !isMark(tokens[i - 1], '.')
    if (reaches && (after === '(' || SCALARS.has(word))) throw denied(`${quote(word)} is not allowed here`)
    // The database `default` of the embedded engine shows the whole file system as tables.
    if (word === 'default' && after === '.') throw denied("the database 'default' is not allowed here")
    if (token.kind === 'quoted') return
    const two = `${word} ${after?.toLowerCase()}`
    if (two === 'into outfile' || two === 'from infile' || two === 'source (')
      throw denied(`${quote(two)} is not allowed here`)
    if (verb === 'kill' && word === 'sync')
      throw denied('KILL ... SYNC never returns on the embedded engine; use ASYNC')
    if (verb === 'system' && STOPS.has(word)) throw denied('only the supervisor can stop the engine')
    if (word === 'engine') refuseEngine(after === '=' ? tokens[i + 2] : tokens[i + 1])
  })
}

const refuseEngine = (token: SqlToken | undefined): void => {
  const name = token?.text.toLowerCase() ?? ''
  if (token?.kind !== 'word' && token?.kind !== 'quoted') return
  // `SELECT engine FROM system.tables`: a column, not a declaration.
  if (/^(from|as|where|and|or|in|not|like|is|order|group|limit|format|asc|desc|having)$/.test(name)) return
  if (!ENGINES.has(name) && !FAMILY.test(name)) throw denied(`the engine ${quote(name)} is not allowed here`)
}

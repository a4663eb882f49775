import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ASK_MS, FETCH_MS, HERE, once, ROOT, versionOf } from './once.ts'
import { run } from './run.ts'

/** Clients that others wrote. */

/** Of what a client prints. */
const MAX_ANSWER_BYTES = 2 ** 26

/** The class path of a Java program with the jars of `pom`. @throws Error without Java, Maven or a way to Maven Central */
async function compiled(pom: string, name: string, source: string): Promise<string> {
  const jars = join(ROOT, '.cache', name)
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`, '-DincludeScope=runtime']
  await once(jars, async () => {
    await run('mvn', ['-q', '-B', '-f', join(HERE, pom), ...copy], { timeout: FETCH_MS })
  })
  const [classes, path] = [join(jars, 'classes'), `${join(jars, '*')}`]
  const compiler = 'org.eclipse.jdt.internal.compiler.batch.Main'
  await run('java', ['-cp', path, compiler, '-17', '-proc:none', '-d', classes, source], { timeout: ASK_MS })
  return `${classes}:${path}`
}

const inPom = (pom: string, artifact: string): string =>
  versionOf(pom, new RegExp(`<artifactId>${artifact}</artifactId>\\s*<version>([^<]+)<`))

/** Runs the JDBC client on `url`; resolves to its lines. @throws Error without Java, Maven or a way to Maven Central */
export const jdbc = async (): Promise<(url: string, user: string, password: string) => Promise<string[]>> => {
  const name = `jdbc-${inPom('jdbc/pom.xml', 'clickhouse-jdbc')}`
  const path = await compiled('jdbc/pom.xml', name, join(HERE, 'jdbc/Client.java'))
  return async (...args) => {
    const { stdout } = await run('java', ['-cp', path, 'Client', ...args], { timeout: ASK_MS })
    return stdout.trim().split('\n')
  }
}

/** What `made` prepares, or a skipped test where it cannot be had; a build that promises all clients fails. */
export const orSkip = <T>(made: Promise<T>, skip: (why: string) => never): Promise<T> =>
  made.catch((error: Error) => {
    if (process.env.CI !== undefined) throw error
    return skip(`no client: ${error.message.split('\n')[0]}`)
  })

type Run = (env: Record<string, string>) => Promise<string>

/** Runs the example in Java with these variables; resolves to what it printed. */
export const javaProducer = async (): Promise<Run> => {
  const name = `kafka-java-${inPom('kafka/pom.xml', 'kafka-clients')}`
  const path = await compiled('kafka/pom.xml', name, join(ROOT, 'examples/java/Producer.java'))
  return async (env) => (await run('java', ['-cp', path, 'Producer'], { timeout: ASK_MS, env })).stdout
}

/** Runs an example in Python with these variables; resolves to what it printed. */
export const pythonProducer = async (file = 'producer.py'): Promise<Run> => {
  const interpreter = await kafkaPython()
  const example = join(ROOT, 'examples/python', file)
  return async (env) => (await run(interpreter, [example], { timeout: ASK_MS, env })).stdout
}

/** An interpreter with the packages that `requirements` names. @throws Error without Python or a way to its packages */
export async function interpreterOf(requirements: string, name: string): Promise<string> {
  const venv = join(ROOT, '.cache', name)
  const interpreter = join(venv, 'bin/python')
  await once(venv, async () => {
    const pip = await installer()
    await run('python3', ['-m', 'venv', '--without-pip', venv], { timeout: FETCH_MS })
    // What is imported is compiled then; of a package that is most often little.
    const install = ['-m', 'pip', '--python', interpreter, 'install', '-q', '--no-compile']
    await run(pip, [...install, '-r', join(HERE, requirements)], { timeout: FETCH_MS })
  })
  return interpreter
}

/** An interpreter whose pip installs for all others: a pip takes longer to install than most of these packages. */
async function installer(): Promise<string> {
  const venv = join(ROOT, '.cache/pip')
  await once(venv, async () => void (await run('python3', ['-m', 'venv', venv], { timeout: FETCH_MS })))
  return join(venv, 'bin/python')
}

/** Runs the Python client; resolves to what it found. @throws Error without Python or a way to its packages */
export const python = async (): Promise<(args: readonly string[]) => Promise<Record<string, unknown>>> => {
  const requirements = 'python/requirements.txt'
  const versions = ['connect[^=]*', 'sqlalchemy'].map((of) => versionOf(requirements, new RegExp(`-${of}==(\\S+)`)))
  const interpreter = await interpreterOf(requirements, `python-${versions.join('-')}`)
  return async (args) => {
    const { stdout } = await run(interpreter, [join(HERE, 'python/client.py'), ...args], { timeout: ASK_MS })
    return JSON.parse(stdout)
  }
}

/** Python with librdkafka's client of Kafka and Avro. @throws Error without Python or a way to its packages */
export const kafkaPython = (): Promise<string> => {
  const requirements = 'kafka/requirements.txt'
  return interpreterOf(requirements, `kafka-python-${versionOf(requirements, /==(\S+)/)}`)
}

/** Has the libraries that STIX and MISP are written with leave documents in a folder. @throws Error as above */
export const intelligence = async (folder: string): Promise<void> => {
  const requirements = 'intel/requirements.txt'
  const interpreter = await interpreterOf(requirements, `intel-python-${versionOf(requirements, /==(\S+)/)}`)
  await run(interpreter, [join(HERE, 'intel/make.py'), folder], { timeout: ASK_MS })
}

export type TaxiiServer = { port: number; stop: () => Promise<void> }

/** Starts the TAXII server of OASIS, with one collection in pages of `pageSize` objects. @throws Error as above */
export async function taxiiServer(pageSize: number): Promise<TaxiiServer> {
  const requirements = 'exchange/requirements.txt'
  const interpreter = await interpreterOf(requirements, `exchange-python-${versionOf(requirements, /==(\S+)/)}`)
  const child = spawn(interpreter, [join(HERE, 'exchange/taxii.py'), String(pageSize)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(Number(line)))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the TAXII server ended with ${code}`)))
  })
  return {
    port,
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** Runs a program of `formats/`; resolves to what it found. @throws Error as above */
async function readerOf(script: string): Promise<(...paths: string[]) => Promise<unknown>> {
  const requirements = 'formats/requirements.txt'
  const interpreter = await interpreterOf(requirements, `formats-python-${versionOf(requirements, /==(\S+)/)}`)
  const bounds = { timeout: ASK_MS, maxBuffer: MAX_ANSWER_BYTES }
  return async (...paths) => JSON.parse((await run(interpreter, [join(HERE, script), ...paths], bounds)).stdout)
}

/** What the libraries of others read in a folder of feeds, one file for each format. @throws Error as above */
export const readFeeds = (): Promise<(folder: string) => Promise<unknown>> => readerOf('formats/read.py')

/** What the library and the validator of STIX find in a document. `written`: as the library writes it again. */
export type StixDocument = { types: string[]; other_ids: string[]; refused: string[]; written: string }

/** What they find in files of STIX. @throws Error as above */
export async function readStix(): Promise<(...files: string[]) => Promise<StixDocument[]>> {
  const reader = await readerOf('formats/stix.py')
  return async (...files) => (await reader(...files)) as StixDocument[]
}

/** A Parquet file as pyarrow reads it; times are unix milliseconds. */
export type ParquetTable = { columns: string[]; rows: Record<string, unknown>[] }

/** What pyarrow reads in Parquet files. @throws Error as above */
export async function readParquet(): Promise<(...files: string[]) => Promise<ParquetTable[]>> {
  const reader = await readerOf('formats/parquet.py')
  return async (...files) => (await reader(...files)) as ParquetTable[]
}

/** What dnspython makes of a zone at a port of loopback, for each question of `ask_dns.py`. @throws Error as above */
export async function askDns(): Promise<(port: number, questions: readonly unknown[]) => Promise<unknown[]>> {
  const reader = await readerOf('formats/ask_dns.py')
  return async (port, questions) => (await reader(String(port), JSON.stringify(questions))) as unknown[]
}

export type RawRecord = {
  name: string
  topic: string
  partition: number
  codec: 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd'
  timestamp: number | null
  key: Buffer | null
  value: Buffer | null
  headers: readonly (readonly [string, Buffer | null])[]
}

/** Writes records as they are given by a client that is not ours; resolves to those that the broker refused. */
export async function produceRaw(
  interpreter: string,
  brokers: string,
  records: readonly RawRecord[],
): Promise<[name: string, why: string][]> {
  const text = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null
  const lines = records.map(({ key, value, headers, ...rest }) =>
    JSON.stringify({
      ...rest,
      key: text(key),
      value: text(value),
      headers: headers.map(([name, bytes]) => [name, text(bytes)]),
    }),
  )
  const running = run(interpreter, [join(HERE, 'kafka/raw.py'), brokers], { timeout: ASK_MS })
  running.child.stdin!.end(`${lines.join('\n')}\n`)
  return JSON.parse((await running).stdout)
}

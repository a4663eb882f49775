import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ASK_MS, FETCH_MS, HERE, once, ROOT, versionOf } from './once.ts'
import { interpreterOf } from './prepare.ts'
import { run } from './run.ts'

/** Clients that generators make out of the API document. */

const SOURCES = join(HERE, 'generated')

/** Asks the platform at `url` what every client asks; resolves to what it found. */
export type Drive = (url: string, key: string, secret: string, value: string) => Promise<unknown>

const jar = async (): Promise<string> => {
  const version = versionOf('generated/pom.xml', /<version>(\d+\.\d+\.\d+)</)
  const folder = join(ROOT, '.cache', `openapi-generator-${version}`)
  await once(folder, async () => {
    const what = `-Dartifact=org.openapitools:openapi-generator-cli:${version}`
    await run('mvn', ['-q', '-B', 'dependency:copy', what, `-DoutputDirectory=${folder}`], { timeout: FETCH_MS })
  })
  return join(folder, `openapi-generator-cli-${version}.jar`)
}

const interpreter = (): Promise<string> => {
  const requirements = 'generated/requirements.txt'
  return interpreterOf(requirements, `openapi-python-${versionOf(requirements, /==(\S+)/)}`)
}

/** Neither documents nor tests of the client. */
const PARTS = { apiDocs: 'false', modelDocs: 'false', apiTests: 'false', modelTests: 'false' }
const ALL = { apis: '', models: '', supportingFiles: '' }

/** Where the clients of openapi-generator are made. */
const python = (folder: string): string => join(folder, 'python')
const typescript = (folder: string): string => join(folder, 'typescript')

const generating = new Map<string, Promise<void>>()

/** The clients of openapi-generator by one run of it: most of one is its start and the reading of the document. */
const generate = (document: string, folder: string): Promise<void> => {
  const made = generating.get(folder) ?? generateAll(document, folder)
  generating.set(folder, made)
  return made
}

async function generateAll(document: string, folder: string): Promise<void> {
  const wanted = [
    { generatorName: 'python', outputDir: python(folder) },
    {
      generatorName: 'typescript-fetch',
      outputDir: join(typescript(folder), 'made'),
      additionalProperties: { importFileExtension: '.js' },
    },
  ]
  await mkdir(folder, { recursive: true })
  const files = wanted.map(({ generatorName }) => join(folder, `${generatorName}.json`))
  for (const [n, one] of wanted.entries())
    await writeFile(files[n]!, JSON.stringify({ ...one, inputSpec: document, globalProperties: { ...PARTS, ...ALL } }))
  const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', await jar()]
  const batch = ['batch', '--fail-fast', '--threads', '1', ...files]
  await run('java', [...options, ...batch], { timeout: ASK_MS, maxBuffer: 1 << 26 })
}

const driven = (program: string, args: string[]): Drive => {
  return async (...given) => {
    const { stdout } = await run(program, [...args, ...given], { timeout: ASK_MS })
    return JSON.parse(stdout)
  }
}

/**
 * openapi-generator for Python.
 * @param folder where every client of a document has a folder of its own
 * @throws Error without Java, Maven, Python, or a way to what they fetch
 */
export async function generatedPython(document: string, folder: string): Promise<Drive> {
  const [program] = await Promise.all([interpreter(), generate(document, folder)])
  return driven(program, [join(SOURCES, 'openapi_generator.py'), python(folder)])
}

/** openapi-generator for typescript-fetch, compiled together with what drives it. */
export async function generatedTypeScript(document: string, all: string): Promise<Drive> {
  await generate(document, all)
  const folder = typescript(all)
  await cp(join(SOURCES, 'drive.mts'), join(folder, 'drive.mts'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const types = join(ROOT, 'node_modules/@types')
  const strict = ['--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext', '--lib', 'es2024,dom']
  const tsc = ['--outDir', join(folder, 'out'), '--typeRoots', types, '--types', 'node', join(folder, 'drive.mts')]
  await run(join(ROOT, 'node_modules/.bin/tsc'), [...strict, ...tsc], { timeout: ASK_MS, cwd: folder })
  return driven(process.execPath, [join(folder, 'out/drive.mjs')])
}

/** openapi-python-client. */
export async function pythonClient(document: string, all: string): Promise<Drive> {
  const program = await interpreter()
  const folder = join(all, 'python-client')
  await mkdir(folder, { recursive: true })
  const config = join(folder, 'config.yaml')
  // Its formatter is another program, and nobody reads what is made here. Of lines it knows no more than that they are bytes.
  const lines = 'content_type_overrides:\n  application/x-ndjson: application/octet-stream\n'
  await writeFile(config, `post_hooks: []\n${lines}`)
  const made = join(folder, 'made')
  const what = ['generate', '--path', document, '--output-path', made, '--meta', 'none', '--config', config]
  const { stdout } = await run(program, ['-m', 'openapi_python_client', ...what, '--fail-on-warning'], {
    timeout: ASK_MS,
  })
  if (/warning|error/i.test(stdout)) throw new Error(stdout)
  return driven(program, [join(SOURCES, 'openapi_python_client.py'), made])
}

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
const PARTS = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false,apis,models,supportingFiles'

const generate = async (document: string, language: string, folder: string, options: string[] = []): Promise<void> => {
  const what = ['generate', '-i', document, '-g', language, '-o', folder, '--global-property', PARTS, ...options]
  await run('java', ['-XX:TieredStopAtLevel=1', '-jar', await jar(), ...what], { timeout: ASK_MS, maxBuffer: 1 << 26 })
}

const driven = (program: string, args: string[]): Drive => {
  return async (...given) => {
    const { stdout } = await run(program, [...args, ...given], { timeout: ASK_MS })
    return JSON.parse(stdout)
  }
}

/** openapi-generator for Python. @throws Error without Java, Maven, Python, or a way to what they fetch */
export async function generatedPython(document: string, folder: string): Promise<Drive> {
  const [python] = await Promise.all([interpreter(), generate(document, 'python', folder)])
  return driven(python, [join(SOURCES, 'openapi_generator.py'), folder])
}

/** openapi-generator for typescript-fetch, compiled together with what drives it. */
export async function generatedTypeScript(document: string, folder: string): Promise<Drive> {
  await generate(document, 'typescript-fetch', join(folder, 'made'), [
    '--additional-properties',
    'importFileExtension=.js',
  ])
  await cp(join(SOURCES, 'drive.mts'), join(folder, 'drive.mts'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const types = join(ROOT, 'node_modules/@types')
  const strict = ['--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext', '--lib', 'es2024,dom']
  const tsc = ['--outDir', join(folder, 'out'), '--typeRoots', types, '--types', 'node', join(folder, 'drive.mts')]
  await run(join(ROOT, 'node_modules/.bin/tsc'), [...strict, ...tsc], { timeout: ASK_MS, cwd: folder })
  return driven(process.execPath, [join(folder, 'out/drive.mjs')])
}

/** openapi-python-client. */
export async function pythonClient(document: string, folder: string): Promise<Drive> {
  const python = await interpreter()
  await mkdir(folder, { recursive: true })
  const config = join(folder, 'config.yaml')
  // Its formatter is another program, and nobody reads what is made here. Of lines it knows no more than that they are bytes.
  const lines = 'content_type_overrides:\n  application/x-ndjson: application/octet-stream\n'
  await writeFile(config, `post_hooks: []\n${lines}`)
  const made = join(folder, 'made')
  const what = ['generate', '--path', document, '--output-path', made, '--meta', 'none', '--config', config]
  const { stdout } = await run(python, ['-m', 'openapi_python_client', ...what, '--fail-on-warning'], {
    timeout: ASK_MS,
  })
  if (/warning|error/i.test(stdout)) throw new Error(stdout)
  return driven(python, [join(SOURCES, 'openapi_python_client.py'), made])
}

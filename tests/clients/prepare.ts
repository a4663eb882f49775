import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ASK_MS, FETCH_MS, HERE, once, ROOT, versionOf } from './once.ts'

/** Clients that others wrote. */

const run = promisify(execFile)

/** Runs the JDBC client on `url`; resolves to its lines. @throws Error without Java, Maven or a way to Maven Central */
export const jdbc = async (): Promise<(url: string, user: string, password: string) => Promise<string[]>> => {
  const version = versionOf('jdbc/pom.xml', /<artifactId>clickhouse-jdbc<\/artifactId>\s*<version>([^<]+)</)
  const jars = join(ROOT, '.cache', `jdbc-${version}`)
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`, '-DincludeScope=runtime']
  await once(jars, async () => {
    await run('mvn', ['-q', '-B', '-f', join(HERE, 'jdbc/pom.xml'), ...copy], { timeout: FETCH_MS })
  })
  const [classes, path] = [join(jars, 'classes'), `${join(jars, '*')}`]
  const compiler = 'org.eclipse.jdt.internal.compiler.batch.Main'
  const source = join(HERE, 'jdbc/Client.java')
  await run('java', ['-cp', path, compiler, '-17', '-proc:none', '-d', classes, source], { timeout: ASK_MS })
  return async (...args) => {
    const { stdout } = await run('java', ['-cp', `${classes}:${path}`, 'Client', ...args], { timeout: ASK_MS })
    return stdout.trim().split('\n')
  }
}

/** Runs the Python client; resolves to what it found. @throws Error without Python or a way to its packages */
export const python = async (): Promise<(args: readonly string[]) => Promise<Record<string, unknown>>> => {
  const requirements = join(HERE, 'python/requirements.txt')
  const venv = join(ROOT, '.cache', `python-${versionOf('python/requirements.txt', /==(\S+)/)}`)
  const interpreter = join(venv, 'bin/python')
  await once(venv, async () => {
    await run('python3', ['-m', 'venv', venv], { timeout: FETCH_MS })
    await run(interpreter, ['-m', 'pip', 'install', '-q', '-r', requirements], { timeout: FETCH_MS })
  })
  return async (args) => {
    const { stdout } = await run(interpreter, [join(HERE, 'python/client.py'), ...args], { timeout: ASK_MS })
    return JSON.parse(stdout)
  }
}

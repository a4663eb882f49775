import { join } from 'node:path'
import { ended } from '../../device.ts'
import { ASK_MS, HERE, versionOf } from '../../once.ts'
import { interpreterOf } from '../../prepare.ts'
import { run } from '../../run.ts'

/** What clients in Python found: `more` is the secret of redis, or of `stale` the port of memcached. */
export type PythonCache = (
  name: 'redis' | 'memcached' | 'stale',
  port: number,
  more?: string,
) => Promise<Record<string, unknown>>

/** redis-py and pymemcache. @throws Error without Python or a way to its packages */
export async function pythonCaches(): Promise<PythonCache> {
  const requirements = 'python/caches/requirements.txt'
  const interpreter = await interpreterOf(requirements, `caches-python-${versionOf(requirements, /==(\S+)/)}`)
  return async (name, port, more = '') => {
    const args = [join(HERE, 'python/caches/client.py'), name, String(port), more]
    return JSON.parse((await run(interpreter, args, { timeout: ASK_MS })).stdout)
  }
}

/** A program of Debian that prints its version. @throws Error where it is not installed */
export async function installed(
  program: string,
): Promise<(...args: string[]) => Promise<{ ok: boolean; out: string }>> {
  await ended(program, ['--version'])
  return (...args) => ended(program, args)
}

import { join } from 'node:path'
import { ended } from '../../device.ts'
import { ASK_MS, HERE, versionOf } from '../../once.ts'
import { interpreterOf } from '../../prepare.ts'
import { run } from '../../run.ts'

/** What a client in Python found: of `redis` with a secret, '' for none. */
export type PythonCache = (
  name: 'redis' | 'memcached',
  port: number,
  secret?: string,
) => Promise<Record<string, unknown>>

/** redis-py and pymemcache. @throws Error without Python or a way to its packages */
export async function pythonCaches(): Promise<PythonCache> {
  const requirements = 'python/caches/requirements.txt'
  const interpreter = await interpreterOf(requirements, `caches-python-${versionOf(requirements, /==(\S+)/)}`)
  return async (name, port, secret = '') => {
    const args = [join(HERE, 'python/caches/client.py'), name, String(port), secret]
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

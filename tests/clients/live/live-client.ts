import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ASK_MS, HERE, versionOf } from '../once.ts'
import { interpreterOf } from '../prepare.ts'

/** A program that is told something over time. `opened` resolves once it listens or has ended, `told` to what it was told. */
export type LiveClient = (
  name: 'changes' | 'socket' | 'webhook',
  where: string,
  more: string | number,
  credentials: Record<string, string>,
) => { opened: Promise<void>; told: Promise<unknown> }

/** Streams, the socket and webhooks by libraries of Python. @throws Error without Python or a way to its packages */
export async function liveClient(): Promise<LiveClient> {
  const requirements = 'live/requirements.txt'
  const interpreter = await interpreterOf(requirements, `live-python-${versionOf(requirements, /==(\S+)/)}`)
  return (name, where, more, credentials) => {
    const env = { API_KEY: credentials['api-key'], API_SECRET: credentials['api-secret'] }
    const args = [join(HERE, 'live/client.py'), name, where, String(more)]
    const child = spawn(interpreter, args, { env, timeout: ASK_MS })
    const opened = Promise.withResolvers<void>()
    let [out, errors] = ['', '']
    child.stdout.on('data', (text) => {
      out += text
      if (out.includes('open\n')) opened.resolve()
    })
    child.stderr.on('data', (text) => {
      errors += text
    })
    const told = once(child, 'close').then(([code]) => {
      opened.resolve()
      if (code !== 0) throw new Error(errors)
      return JSON.parse(out.trimEnd().split('\n').at(-1)!) as unknown
    })
    return { opened: opened.promise, told }
  }
}

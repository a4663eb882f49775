import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../wiring/process/usage.ts'
import type { Credentials } from './server.ts'

/** A platform that is reached over its API alone. */
export type NamedPlatform = { url: string; credentials: Credentials }

const NAME = 'harrier.json'
const KEYS = ['url', 'apiKey', 'apiSecret'] as const
/** As the environment has them. */
const SECRET = /^[\x21-\x7e]{16,256}$/
const MAX_BYTES = 64 * 1024
const OTHERS = 0o077

/** Where the file is looked for, in this order: the current folder, then the configuration of the user. */
export const placesOfFile = (env: NodeJS.ProcessEnv, cwd: string): string[] => {
  const base = env.XDG_CONFIG_HOME
  // A relative path there means nothing (XDG Base Directory Specification).
  const config = base?.startsWith('/') ? base : join(env.HOME ?? homedir(), '.config')
  return [join(cwd, NAME), join(config, 'harrier', NAME)]
}

/**
 * The platform of the first file that is there; null without one. All three values come from one file: a file that somebody
 * left in a folder can name its own server and key, and never sends the key of another place to its server.
 * @throws UsageError that names the file and no value of it
 */
export async function platformOfFile(env: NodeJS.ProcessEnv, cwd: string): Promise<NamedPlatform | null> {
  for (const file of placesOfFile(env, cwd)) {
    const text = await privateText(file)
    if (text !== null) return readPlatform(file, text)
  }
  return null
}

/** The text of a file that only its owner, who is this user, can read or write; null when it is not there. */
async function privateText(file: string): Promise<string | null> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw new UsageError(`${file}: cannot be read (${error.code})`, { cause: error })
  })
  if (handle === null) return null
  try {
    const { mode, uid, size } = await handle.stat()
    if (uid !== process.getuid?.()) throw new UsageError(`${file}: belongs to another user and is therefore not used`)
    if ((mode & OTHERS) !== 0)
      throw new UsageError(`${file}: other users can read or write it; close it with: chmod 600 ${file}`)
    if (size > MAX_BYTES) throw new UsageError(`${file}: is larger than ${MAX_BYTES} bytes`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

function readPlatform(file: string, text: string): NamedPlatform {
  const wrong = (why: string): never => {
    throw new UsageError(`${file}: ${why}`)
  }
  const given = objectOf(text) ?? wrong('is not a JSON object')
  const odd = Object.keys(given).find((key) => !KEYS.some((known) => known === key))
  if (odd !== undefined) wrong(`"${odd.slice(0, 60)}" is not known; expected ${KEYS.join(', ')}`)
  for (const key of KEYS) if (typeof given[key] !== 'string') wrong(`"${key}" is missing`)
  const { url, apiKey, apiSecret } = given as Record<(typeof KEYS)[number], string>
  const fault = urlFault(url)
  if (fault !== null) wrong(`"url" ${fault}`)
  for (const key of ['apiKey', 'apiSecret'] as const)
    if (!SECRET.test(given[key] as string)) wrong(`"${key}" must be 16 to 256 printable characters without spaces`)
  return { url, credentials: { key: apiKey, secret: apiSecret } }
}

/** A parser's own message quotes what it could not read, and that may be the secret. */
function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** A secret crosses a network only in TLS. */
function urlFault(text: string): string | null {
  if (!URL.canParse(text)) return 'is not a URL'
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '') return 'must have no user and password'
  if (search !== '' || hash !== '') return 'must end with the path'
  if (protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))) return null
  return 'must begin with https://, or with http:// on this machine'
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)

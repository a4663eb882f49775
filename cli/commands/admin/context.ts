import { open, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { runningAt } from '../../../connectors/data-folder/running.ts'
import type { Config } from '../../../platform/config.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { type AdminRequest, type Credentials, type Download, downloadsAt, serverAt } from './server-context.ts'

/** A platform that is reached over its API alone. */
type NamedPlatform = { url: string; credentials: Credentials }

const NAME = 'harrier.json'
const KEYS = ['url', 'apiKey', 'apiSecret'] as const
/** As the environment has them. */
const SECRET = /^[\x21-\x7e]{16,256}$/
const MAX_BYTES = 64 * 1024
const OTHERS = 0o077

/** Where the file is looked for, in this order: the current folder, then the configuration of the user. */
const placesOfFile = (env: NodeJS.ProcessEnv, cwd: string): string[] => {
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
async function platformOfFile(env: NodeJS.ProcessEnv, cwd: string): Promise<NamedPlatform | null> {
  for (const file of placesOfFile(env, cwd)) {
    const platform = await platformIn(file)
    if (platform !== null) return platform
  }
  return null
}

/** The platform that a private file names; null when there is no such file. @throws UsageError as `platformOfFile` does */
export async function platformIn(file: string): Promise<NamedPlatform | null> {
  const text = await privateText(file)
  return text === null ? null : readPlatform(file, text)
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

const WHO = `Calls a platform over its API. The first of these that exists names the platform and the credentials:
  1. the environment: HARRIER_URL, HARRIER_API_KEY and HARRIER_API_SECRET
  2. harrier.json in the current folder, then in $XDG_CONFIG_HOME/harrier (~/.config/harrier):
     {"url": "https://...", "apiKey": "...", "apiSecret": "..."}
  3. the platform of the data folder on this machine, as its administrator`

/** Says in the help of a command, and of those below it, as whom it asks. */
export const asking = (command: Command): Command => command.addHelpText('afterAll', `\n${WHO}`)

/** What the commands need: a server, and where to write. Opened when a command runs, not when it is declared. */
export type AdminContext = {
  open: () => Promise<AdminRequest>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** Unix milliseconds. */
  now: () => number
}

type Where = Pick<Config, 'url' | 'caller' | 'administrator' | 'dataDir'>

/** What a caller asks, and where that is. */
export type PlatformAt = NamedPlatform & {
  /** Whether a file or HARRIER_URL names it: then the data folder here is of no importance. */
  isNamed: boolean
}

/** The environment names a platform with one of these, and no file is read then. */
const NAMING = [
  'HARRIER_URL',
  'HARRIER_API_KEY',
  'HARRIER_API_SECRET',
  'HARRIER_ADMIN_KEY',
  'HARRIER_ADMIN_SECRET',
  'HARRIER_DATA_DIR',
  'PORT',
]

const isGiven = (env: NodeJS.ProcessEnv, name: string): boolean => (env[name]?.trim() ?? '') !== ''

/**
 * Where the platform is and as whom it is asked: of the environment, else of a file `harrier.json`, else the one of the data
 * folder. Key and address come from the same place.
 * @throws Error when no credentials are found, or when the environment turns the check of certificates off
 */
export async function openPlatform(config: Where, env: NodeJS.ProcessEnv, cwd: string): Promise<PlatformAt> {
  const named = NAMING.some((name) => isGiven(env, name)) ? null : await platformOfFile(env, cwd)
  const { url, credentials } = named ?? { url: urlOf(config, env), credentials: await credentialsOf(config) }
  if (url.startsWith('https:') && env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    throw new Error(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 would send the key to any server; unset it, and name your own certificate authority in NODE_EXTRA_CA_CERTS',
    )
  return { url, credentials, isNamed: named !== null || isGiven(env, 'HARRIER_URL') }
}

/** What the environment says, else where the platform of the data folder listens, else the port that it has by default. */
function urlOf({ url, dataDir }: Where, env: NodeJS.ProcessEnv): string {
  const isSaid = isGiven(env, 'HARRIER_URL') || (isGiven(env, 'PORT') && env.PORT?.trim() !== '0')
  return (isSaid ? null : runningAt(dataDir)) ?? url
}

/** The same for JSON. */
export async function openServer(...where: Parameters<typeof openPlatform>): Promise<AdminRequest> {
  const { url, credentials } = await openPlatform(...where)
  return serverAt(url, credentials)
}

/** The same, with how the platform is named. */
export async function openAsked(
  ...where: Parameters<typeof openPlatform>
): Promise<{ ask: AdminRequest; isNamed: boolean }> {
  const { url, credentials, isNamed } = await openPlatform(...where)
  return { ask: serverAt(url, credentials), isNamed }
}

/** The same for answers that are no JSON. */
export async function openDownloads(...where: Parameters<typeof openPlatform>): Promise<Download> {
  const { url, credentials } = await openPlatform(...where)
  return downloadsAt(url, credentials)
}

const credentialsOf = async ({ caller, administrator, dataDir }: Where): Promise<Credentials> =>
  caller ?? administrator ?? readAdministrator(join(dataDir, 'administrator.json'))

export async function readAdministrator(path: string): Promise<Credentials> {
  try {
    const { apiKey, apiSecret } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    if (typeof apiKey === 'string' && typeof apiSecret === 'string') return { key: apiKey, secret: apiSecret }
  } catch (cause) {
    throw noKey(path, cause)
  }
  throw noKey(path)
}

const noKey = (path: string, cause?: unknown): Error =>
  new Error(
    `no credentials: there is no key pair in ${path}. Start a platform here (harrier up), name its folder in HARRIER_DATA_DIR, or name another platform: HARRIER_URL, HARRIER_API_KEY and HARRIER_API_SECRET, or a file harrier.json (harrier guide command-line)`,
    { cause },
  )

/** A path whose parts are escaped, so that they cannot change its structure. */
export const pathOf = (strings: TemplateStringsArray, ...words: string[]): string =>
  strings.reduce((path, part, i) => path + encodeURIComponent(words[i - 1]!) + part)

/** Collects an option that may be repeated. */
export const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value]

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { runningAt } from '../../../connectors/data-folder/running.ts'
import type { Config } from '../../../platform/config.ts'
import { type NamedPlatform, platformOfFile } from './platform-file.ts'
import { type AdminRequest, type Credentials, type Download, downloadsAt, serverAt } from './server.ts'

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
    `no credentials: there is no key pair in ${path}. Start a platform here (harrier up), name its folder in HARRIER_DATA_DIR, or name another platform: HARRIER_URL, HARRIER_API_KEY and HARRIER_API_SECRET, or a file harrier.json (docs/command-line.md)`,
    { cause },
  )

/** A path whose parts are escaped, so that they cannot change its structure. */
export const pathOf = (strings: TemplateStringsArray, ...words: string[]): string =>
  strings.reduce((path, part, i) => path + encodeURIComponent(words[i - 1]!) + part)

/** Collects an option that may be repeated. */
export const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value]

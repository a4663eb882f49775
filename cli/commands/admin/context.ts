import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../../platform/config.ts'
import { type AdminRequest, type Credentials, type Download, downloadsAt, serverAt } from './server.ts'

const WHO =
  'Asks the platform at HARRIER_URL as the user of HARRIER_API_KEY and HARRIER_API_SECRET; without them as the administrator of HARRIER_ADMIN_KEY and HARRIER_ADMIN_SECRET, or of the data folder.'

/** Says in the help of a command, and of those below it, as whom it asks. */
export const asking = (command: Command): Command => command.addHelpText('afterAll', `\n${WHO}`)

/** What the commands need: a server, and where to write. Opened when a command runs, not when it is declared. */
export type AdminContext = { open: () => Promise<AdminRequest>; stdout: { write(text: string): unknown } }

type Where = Pick<Config, 'url' | 'caller' | 'administrator' | 'dataDir'>

/** The configured platform, as the user of the environment, else as the administrator of it or of the data folder. */
export const openServer = async (config: Where): Promise<AdminRequest> =>
  serverAt(config.url, await credentials(config))

/** The same for answers that are no JSON. */
export const openDownloads = async (config: Where): Promise<Download> =>
  downloadsAt(config.url, await credentials(config))

/** Where the platform is and as whom it is asked, for whoever speaks to it in another way. */
export const openPlatform = async (config: Where): Promise<{ url: string; credentials: Credentials }> => ({
  url: config.url,
  credentials: await credentials(config),
})

const credentials = async ({ caller, administrator, dataDir }: Where): Promise<Credentials> =>
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
    `no credentials: set HARRIER_API_KEY and HARRIER_API_SECRET, or HARRIER_ADMIN_KEY and HARRIER_ADMIN_SECRET, or HARRIER_DATA_DIR (no key pair in ${path})`,
    {
      cause,
    },
  )

/** Prints an answer as JSON; nothing for an answer without a body. */
export function show({ stdout }: AdminContext, answer: unknown): void {
  if (answer !== null) stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
}

/** A path whose parts are escaped, so that they cannot change its structure. */
export const pathOf = (strings: TemplateStringsArray, ...words: string[]): string =>
  strings.reduce((path, part, i) => path + encodeURIComponent(words[i - 1]!) + part)

/** Collects an option that may be repeated. */
export const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value]

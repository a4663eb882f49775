import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../platform/config.ts'
import { type Administrator, type AdminRequest, type Download, downloadsAt, serverAt } from './server.ts'

/** What the commands need: a server, and where to write. Opened when a command runs, not when it is declared. */
export type AdminContext = { open: () => Promise<AdminRequest>; stdout: { write(text: string): unknown } }

/** The configured platform, as the administrator of the environment or of the data folder. */
export async function openServer(config: Pick<Config, 'url' | 'administrator' | 'dataDir'>): Promise<AdminRequest> {
  return serverAt(
    config.url,
    config.administrator ?? (await readAdministrator(join(config.dataDir, 'administrator.json'))),
  )
}

/** The same for answers that are no JSON. */
export async function openDownloads(config: Pick<Config, 'url' | 'administrator' | 'dataDir'>): Promise<Download> {
  return downloadsAt(
    config.url,
    config.administrator ?? (await readAdministrator(join(config.dataDir, 'administrator.json'))),
  )
}

export async function readAdministrator(path: string): Promise<Administrator> {
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
    `no administrator credentials: set HARRIER_ADMIN_KEY and HARRIER_ADMIN_SECRET, or HARRIER_DATA_DIR (no key pair in ${path})`,
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

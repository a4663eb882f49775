/** What `npm run pictures` is asked for. */

import { parseArgs } from 'node:util'

/** How a page is looked at. A telephone is 390 pixels wide. */
export const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const

export type Look = keyof typeof LOOKS

export type Options = {
  /** Address of the platform, without a path. */
  url: string
  keys: { apiKey: string; apiSecret: string }
  /** Folder of the pictures and the tables; made when it is not there. */
  out: string
  looks: Look[]
  /** Names of addresses to take; null: all. */
  pages: string[] | null
  /** Id of the entity whose page is taken; null: the worst of those that were seen last. */
  entity: string | null
  /** Whether a picture ends with the window, and not with the page. */
  window: boolean
}

export const USAGE = `usage: HARRIER_API_KEY=... HARRIER_API_SECRET=... npm run pictures -- --out <folder> [options]

  --url <address>    of the running platform (HARRIER_URL, else http://127.0.0.1:8080)
  --pages <names>    only these, such as entity,triage,account-team
  --looks <names>    of ${Object.keys(LOOKS).join(',')} (all)
  --entity <id>      the entity whose page is taken (the worst of those that were seen last)
  --window           pictures end with the window, not with the page`

const list = (text: string | undefined): string[] | null =>
  text === undefined
    ? null
    : text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')

const isLook = (name: string): name is Look => Object.hasOwn(LOOKS, name)

/**
 * @param args what was typed after `npm run pictures --`
 * @throws Error when an option is unknown, a look is unknown, or folder or key pair is missing
 */
export function optionsOf(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { url: text, out: text, pages: text, looks: text, entity: text, window: { type: 'boolean' } },
  })
  if (values.out === undefined) throw new Error('--out <folder> is missing')
  const { HARRIER_API_KEY: apiKey, HARRIER_API_SECRET: apiSecret } = env
  if (!apiKey || !apiSecret) throw new Error('HARRIER_API_KEY and HARRIER_API_SECRET are missing')
  const looks = list(values.looks) ?? Object.keys(LOOKS)
  const known = looks.filter(isLook)
  const unknown = looks.find((name) => !isLook(name))
  if (unknown !== undefined) throw new Error(`--looks: ${unknown} is none of ${Object.keys(LOOKS).join(', ')}`)
  return {
    url: (values.url ?? env.HARRIER_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, ''),
    keys: { apiKey, apiSecret },
    out: values.out,
    looks: known,
    pages: list(values.pages),
    entity: values.entity ?? null,
    window: values.window ?? false,
  }
}

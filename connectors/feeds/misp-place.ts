import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { openUrl } from './feed-url.ts'
import { readDocument } from './parse/document.ts'
import { unpack } from './unpack.ts'

/** Largest manifest and largest event, in bytes, unpacked. */
export const MAX_MANIFEST_BYTES = 128 * 1024 * 1024
export const MAX_EVENT_BYTES = 64 * 1024 * 1024

/** Where a MISP feed is: its manifest, and an event by its UUID in lower case. */
export type MispFeedPlace = {
  /** The same for the same place, however it is written, and whoever asks: no user and password is in it. */
  identity: string
  /** @throws when there is none, it is larger than 128 MiB, or not JSON */
  manifest(): Promise<unknown>
  /** @throws when there is none, it is larger than 64 MiB, or not JSON */
  event(uuid: string): Promise<unknown>
}

const MANIFEST = 'manifest.json'
const CHUNK = 256 * 1024

/**
 * A MISP feed at a URL or in a folder; the manifest itself may be named. URLs are fetched as those of all feeds are: public
 * addresses alone, loopback where the URL names it. Nothing outside of the folder is read, whatever links there are in it.
 * @throws when the folder is none, or the URL is of another kind
 */
export async function openMispFeed(place: string): Promise<MispFeedPlace> {
  if (/^https?:\/\//i.test(place)) return atUrl(place)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) throw new Error('only http and https URLs are supported')
  const given = resolve(place)
  const folder = await realpath(given.endsWith(`${sep}${MANIFEST}`) ? given.slice(0, -MANIFEST.length - 1) : given)
  if (!(await stat(folder)).isDirectory()) throw new Error(`${place}: not a folder with a ${MANIFEST}`)
  const read = async (name: string, limit: number): Promise<unknown> => {
    const path = await realpath(join(folder, name)).catch(missing(name))
    if (!path.startsWith(`${folder}${sep}`)) throw new Error(`${name} leads out of the folder`)
    if (!(await stat(path)).isFile()) throw new Error(`${name} is not a file`)
    return document(createReadStream(path, { highWaterMark: CHUNK }), name, limit)
  }
  return reading(folder, read)
}

function atUrl(place: string): MispFeedPlace {
  const base = new URL(place)
  if (base.pathname.endsWith(`/${MANIFEST}`)) base.pathname = base.pathname.slice(0, -MANIFEST.length)
  else if (!base.pathname.endsWith('/')) base.pathname += '/'
  base.hash = ''
  const named = new URL(base)
  named.username = ''
  named.password = ''
  return reading(named.href, async (name, limit) => {
    const url = new URL(base)
    url.pathname += name
    return document((await openUrl(url.href)).body, name, limit)
  })
}

const reading = (identity: string, read: (name: string, limit: number) => Promise<unknown>): MispFeedPlace => ({
  identity,
  manifest: () => read(MANIFEST, MAX_MANIFEST_BYTES),
  event: (uuid) => read(`${uuid}.json`, MAX_EVENT_BYTES),
})

const missing =
  (name: string) =>
  (cause: NodeJS.ErrnoException): never => {
    throw cause.code === 'ENOENT' ? new Error(`there is no ${name}`, { cause }) : cause
  }

async function document(bytes: AsyncIterable<Buffer>, name: string, limit: number): Promise<unknown> {
  try {
    return await readDocument(unpack(bytes), limit)
  } catch (cause) {
    throw new Error(cause instanceof SyntaxError ? `${name} is not JSON: ${cause.message}` : (cause as Error).message, {
      cause,
    })
  }
}

import { readFile } from 'node:fs/promises'

/** Who asks. */
export type TaxiiAccess = {
  /** The header of that name; null: nobody in particular. */
  authorization: string | null
  /** PEM texts of a client certificate and its key. */
  tls?: { cert: string; key: string }
}

const MAX_TOKEN = 8_192

/**
 * The address of a collection without the credentials in it, and what they and the files give.
 * @throws Error that names the flag, never what is in a file or in the address
 */
export async function accessOf(
  place: string,
  files: { tokenFile?: string; cert?: string; key?: string },
): Promise<{ url: URL; access: TaxiiAccess }> {
  const url = addressOf(place)
  const { username, password } = url
  const named = username !== '' || password !== ''
  url.username = ''
  url.password = ''
  if (named && files.tokenFile !== undefined)
    throw new Error('--token-file: not allowed with credentials in the URL; give one of them')
  if ((files.cert === undefined) !== (files.key === undefined))
    throw new Error('--cert and --key must be given together')
  if (files.cert !== undefined && url.protocol !== 'https:') throw new Error('--cert: only allowed with an https URL')
  const basic = `${decoded(username)}:${decoded(password)}`
  const authorization = named
    ? `Basic ${Buffer.from(basic).toString('base64')}`
    : files.tokenFile === undefined
      ? null
      : `Bearer ${await tokenOf(files.tokenFile)}`
  if (files.cert === undefined || files.key === undefined) return { url, access: { authorization } }
  const [cert, key] = await Promise.all([textOf('--cert', files.cert), textOf('--key', files.key)])
  return { url, access: { authorization, tls: { cert, key } } }
}

/** The address of the objects of a collection. */
function addressOf(place: string): URL {
  let url: URL
  try {
    url = new URL(place)
  } catch {
    throw new Error('expected the http or https URL of a TAXII collection')
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error('expected the http or https URL of a TAXII collection')
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  if (!url.pathname.endsWith('/objects/')) url.pathname += 'objects/'
  return url
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

async function tokenOf(path: string): Promise<string> {
  const token = (await textOf('--token-file', path)).trim()
  if (token === '' || token.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(token))
    throw new Error(`--token-file: ${path} must hold one token of 1 to ${MAX_TOKEN} visible ASCII characters`)
  return token
}

const textOf = (flag: string, path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${flag}: ${path} cannot be read (${error.code})`)
  })

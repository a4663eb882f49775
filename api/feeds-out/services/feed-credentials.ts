/** What a device may show to read a feed, beside a bearer token and a key pair in headers (decisions 11.5). */

import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { isDownloadToken } from '../../../schemas/feeds-out/download-token.ts'
import { ApiError } from '../../http/errors.ts'
import { bothKinds } from '../../http/middleware/identity.ts'
import type { ReadCredentials } from '../../http/route.ts'

/** Longest Basic credentials that are looked at, in characters; ours are far shorter. */
const MAX_BASIC = 2_048

const BASIC = /^basic(?: |$)/i
const BASE64 = /^basic +([\w+/-]+={0,2})$/i

/**
 * For routes whose path has `{id}`, a feed, or `{token}`, a download token. Basic credentials are a download token as the
 * password with any user name, or a key with its secret. Throws 401 also for credentials of two kinds at once.
 * @param access as `tokenAccess` gives it
 */
export const feedCredentials =
  (access: (token: string, feedId: string | undefined, address: string) => Promise<Identity>): ReadCredentials =>
  async ({ headers, params, ip }, usual) => {
    const { authorization, 'api-key': key, 'api-secret': secret } = headers
    if (params.token !== undefined) {
      if (authorization !== undefined || key !== undefined || secret !== undefined) throw twice()
      return access(params.token, undefined, ip)
    }
    if (authorization === undefined || !BASIC.test(authorization)) return usual(headers, ip)
    if (key !== undefined || secret !== undefined) throw bothKinds()
    const { user, password } = readBasic(authorization)
    if (isDownloadToken(password)) return access(password, params.id, ip)
    return usual({ 'api-key': user, 'api-secret': password }, ip)
  }

const twice = () =>
  new ApiError('unauthorized', { message: 'use either the download token in the path or other credentials, not both' })

/** Throws 401 for what is no `user:password` in Base64. */
function readBasic(authorization: string): { user: string; password: string } {
  const encoded = authorization.length > MAX_BASIC ? undefined : BASE64.exec(authorization)?.[1]
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0)
    throw new ApiError('unauthorized', { message: 'authorization: must be Basic with user:password in Base64' })
  // A secret that was written into a file and encoded from there brings the end of its line.
  return { user: text.slice(0, colon), password: text.slice(colon + 1).replace(/\r?\n$/, '') }
}

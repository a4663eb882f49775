/** Download tokens: what a device reads one feed with (decisions 11.5). */

import { randomBytes } from 'node:crypto'

/** Secrets of 256 random bits cannot be guessed. */
const SECRET_BYTES = 32
/** Tells people, and programs that look for secrets in files, what it is. */
const PREFIX = 'hft_'
const TOKEN = /^hft_[\w-]{43}$/

/** Most tokens of one feed. */
export const MAX_TOKENS = 100
export const MAX_TOKEN_DAYS = 365

/** A new token: stored as its hash alone, and shown once. */
export const newDownloadToken = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64url')

/** Whether the text has the form of a token: which of them there are, only the store knows. */
export const isDownloadToken = (text: string): boolean => TOKEN.test(text)

/** Tokens, and whatever stands in the place of one: a device that is set up wrongly sends other secrets there. */
const IN_PATH = /(\/feeds\/v1\/t\/)[^/]*|hft_[\w%-]+/gi

/** The path of a request without tokens, for logs; also where it is written with escapes (`%74` for `t`). */
export const withoutTokens = (path: string): string =>
  unescaped(path).replace(IN_PATH, (_, place?: string) => `${place ?? ''}{token}`)

function unescaped(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

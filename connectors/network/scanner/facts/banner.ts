/** What the first line of a server says. Pure. */

import type { BannerFound } from './found.ts'

const MAX_LENGTH = 1_024

/** Control and invisible characters, line separators, and bytes that were not UTF-8. */
const NOISE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd\s]+/gu

/** Text that may be stored and shown, at most 1,024 characters; may be empty. */
export const readable = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOISE, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()

/** RFC 4253, 4.2. */
const SSH = /^SSH-\d/

/** SMTP and FTP (220), POP3, IMAP. */
const GREETING = /^(?:220(?:[ -]|$)|\+OK\b|\* (?:OK|PREAUTH)\b)/

/** The greeting in the first line of `greeting`; undefined when it belongs to no protocol that greets with text. */
export function greetingIn(greeting: Buffer): BannerFound | undefined {
  const text = readable(greeting.toString('utf8').split(/\r?\n/, 1)[0]!)
  if (SSH.test(text)) return { kind: 'ssh', text }
  return GREETING.test(text) ? { kind: 'greeting', text } : undefined
}

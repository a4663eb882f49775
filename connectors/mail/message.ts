/** What may be put into a mail. Pure. */

import type { Mail } from './port.ts'

/** The mail cannot be sent in this form by any transport. */
export class InvalidMailError extends Error {
  override readonly name = 'InvalidMailError'
}

const MAX_ADDRESS = 254
const MAX_SUBJECT = 200
const MAX_TEXT = 10_000

/** Exactly one address: no list, no quotes, no comment, no white space, no line end. */
const ADDRESS = /^[^\s"(),:;<>@[\\\]\p{Cc}]+@[^\s"(),:;<>@[\\\]\p{Cc}]+$/u

const CONTROL = /\p{Cc}/u

/**
 * The mail as nodemailer takes it. Throws InvalidMailError for whatever could become a second header or a second reader.
 * `now` in Unix milliseconds.
 */
export function message({ to, subject, text }: Mail, from: string, now: number) {
  if (to.length > MAX_ADDRESS || !ADDRESS.test(to)) throw new InvalidMailError('to must be a single plain address')
  if (subject.length > MAX_SUBJECT || CONTROL.test(subject))
    throw new InvalidMailError('subject must be a single short line')
  if (text.length > MAX_TEXT) throw new InvalidMailError('text is too long')
  // As objects: nothing is parsed as a list again.
  const address = (plain: string) => ({ name: '', address: plain })
  return {
    from: address(from),
    to: [address(to)],
    subject,
    text,
    date: new Date(now),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

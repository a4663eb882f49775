/** Mails over SMTP. */

import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { message } from './message.ts'
import type { Mailer } from './port.ts'

export type SmtpOptions = {
  /** `smtp[s]://[user:password@]host[:port][?from=address]` */
  url: string
  /** Milliseconds that connecting, the greeting and each silence may take. */
  timeoutMs: number
  /** Unix milliseconds. */
  now: () => number
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/** Opens no connection yet: every mail has its own. */
export function smtpMailer({ url, timeoutMs, now }: SmtpOptions): Mailer {
  const { secure, host, port, auth, from } = serverOf(url)
  const transport = createTransport({
    host,
    secure,
    ...(port === null ? {} : { port }),
    ...(auth === null ? {} : { auth }),
    // Without this an attacker who removes STARTTLS from the greeting would get the password.
    requireTLS: auth !== null && !secure && !LOOPBACK.includes(host),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  return {
    async send(mail) {
      await transport.sendMail(message(mail, from, now()))
    },
    async probe() {
      await transport.verify()
    },
  }
}

function serverOf(text: string) {
  const url = new URL(text)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const user = decodeURIComponent(url.username)
  return {
    secure: url.protocol === 'smtps:',
    host,
    port: url.port === '' ? null : Number(url.port),
    auth: user === '' ? null : { user, pass: decodeURIComponent(url.password) },
    from: url.searchParams.get('from') ?? `harrier@${isIP(host) === 0 ? host : 'localhost'}`,
  }
}

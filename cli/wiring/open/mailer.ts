import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { outboxMailer } from '../../../connectors/mail/outbox.ts'
import type { Mailer } from '../../../connectors/mail/port.ts'
import { smtpMailer } from '../../../connectors/mail/smtp.ts'
import type { Config } from '../../../platform/config.ts'

/** A caller waits for its mail to be taken: a server that is slower than this counts as down. */
const TIMEOUT_MS = 5000

/** Mails over the configured SMTP server, or into the outbox of the data folder (decisions 9.4). */
export function openMailer({ smtpUrl, dataDir }: Config, logger: Logger): Mailer {
  if (smtpUrl !== null) return smtpMailer({ url: smtpUrl, timeoutMs: TIMEOUT_MS, now: Date.now })
  return outboxMailer({
    folder: join(resolve(dataDir), 'outbox'),
    onMail: (mail) => logger.info(mail, 'wrote a mail to the outbox folder'),
    now: Date.now,
  })
}

import type { Mailer } from '../../../connectors/mail/port.ts'
import { sendOutbound } from '../../../connectors/network/requests/request.ts'
import type { SendMessage } from '../../../connectors/receivers/port.ts'
import { messageSender } from '../../../connectors/receivers/send.ts'
import type { Config } from '../../../platform/config.ts'

/** The receivers of alerts, over the network and the mailer of the platform. */
export const openReceivers = (config: Pick<Config, 'webhookAllowPrivate' | 'url'>, mailer: Mailer): SendMessage =>
  messageSender({
    send: sendOutbound,
    mailer,
    allowPrivate: config.webhookAllowPrivate,
    links: { console: `${config.url.replace(/\/+$/, '')}/` },
    now: Date.now,
  })

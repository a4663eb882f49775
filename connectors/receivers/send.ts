/** Deliveries to receivers of every kind, over HTTP and mail. */

import { mailOf } from '../../schemas/casework/deliveries/bodies/mail.ts'
import { slackBody } from '../../schemas/casework/deliveries/bodies/slack.ts'
import { teamsBody } from '../../schemas/casework/deliveries/bodies/teams.ts'
import { webhookBody } from '../../schemas/casework/deliveries/bodies/webhook.ts'
import type { Receiver } from '../../schemas/casework/deliveries/destination.ts'
import type { Links, Message } from '../../schemas/casework/deliveries/message.ts'
import { platformHeaders, signedHeaders } from '../../schemas/casework/deliveries/signature.ts'
import type { Mailer } from '../mail/port.ts'
import type { OutboundOutcome, SendOutbound } from '../network/requests/port.ts'
import type { SendMessage, SendWebhook, Sent } from './port.ts'

export type SendingPorts = {
  send: SendOutbound
  mailer: Pick<Mailer, 'send'>
  /** Also to receivers that are not public (tests). */
  allowPrivate: boolean
  links: Links
  /** Unix milliseconds. */
  now: () => number
}

/** Of every delivery of the platform. */
const TRY_MS = 10_000

/** As much of an answer is read at most. That of a destination has to end within it. */
const MAX_ANSWER_BYTES = { scan: 16_384, alert: 65_536 }

const JSON_CONTENT = { key: 'content-type', value: 'application/json' }

const BODIES = { webhook: webhookBody, slack: slackBody, teams: teamsBody } as const

const STOPPED: Sent = { ok: false, reason: 'stopped', error: 'the delivery was stopped' }

/** See `SendMessage`. */
export function messageSender({ send, mailer, allowPrivate, links, now }: SendingPorts): SendMessage {
  const post = async ({ kind, url, secret }: Receiver, message: Message, signal?: AbortSignal): Promise<Sent> => {
    if (kind === 'email' || url === null) throw new RangeError(`a destination of the kind ${kind} has no URL`)
    const body = BODIES[kind](message, links)
    const outcome = await send({
      url,
      method: 'POST',
      headers: [JSON_CONTENT, ...signedHeaders(secret, message.id, Math.floor(now() / 1000), body)],
      body,
      timeoutMs: TRY_MS,
      maxResponseBytes: MAX_ANSWER_BYTES.alert,
      wholeResponse: true,
      allowPrivate,
      ...(signal === undefined ? {} : { signal }),
    })
    return judge(outcome)
  }

  const mail = async ({ email }: Receiver, message: Message, signal?: AbortSignal): Promise<Sent> => {
    if (email === null) throw new RangeError('a destination of the kind email has no address')
    if (signal?.aborted) return STOPPED
    const late = AbortSignal.timeout(TRY_MS)
    const ends = signal === undefined ? late : AbortSignal.any([late, signal])
    const sent = mailer.send({ to: email, ...mailOf(message, links) }).then(
      (): Sent => ({ ok: true }),
      (): Sent => ({ ok: false, reason: 'mail', error: 'the mail server did not accept the mail' }),
    )
    return Promise.race([sent, aborted(ends).then(() => (late.aborted ? LATE : STOPPED))])
  }

  return (to, message, signal) => (to.kind === 'email' ? mail(to, message, signal) : post(to, message, signal))
}

/** See `SendWebhook`. A success counts with the head of its answer: the receiver has the notification. */
export const webhookSender =
  ({ send, allowPrivate, now }: Pick<SendingPorts, 'send' | 'allowPrivate' | 'now'>): SendWebhook =>
  async ({ messageId, url, headers, secret, body }, signal) =>
    judge(
      await send({
        url,
        method: 'POST',
        headers: [...headers, JSON_CONTENT, ...platformHeaders(secret, messageId, Math.floor(now() / 1000), body)],
        body,
        timeoutMs: TRY_MS,
        maxResponseBytes: MAX_ANSWER_BYTES.scan,
        allowPrivate,
        signal,
      }),
    )

const LATE: Sent = { ok: false, reason: 'timeout', error: 'the mail server did not answer in time' }

function judge(outcome: OutboundOutcome): Sent {
  if (!outcome.ok) return { ok: false, reason: outcome.reason, error: outcome.message }
  const { status } = outcome
  if (status >= 200 && status <= 299) return { ok: true }
  return { ok: false, reason: 'status', error: `the receiver answered with status ${status}` }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** How a receiver knows that a delivery is ours, recent and not a repeat (decisions 7, 13.3). */

import { createHmac } from 'node:crypto'
import type { Header } from '../../scans/webhooks/headers.ts'

/**
 * The headers of one try of any delivery of the platform.
 * @param id the same at every try
 * @param unix seconds of this try
 */
export const platformHeaders = (secret: string, id: string, unix: number, body: Buffer): Header[] => [
  { key: 'x-harrier-delivery', value: id },
  { key: 'x-harrier-signature', value: signature(secret, unix, body) },
]

/** The value of `x-harrier-signature` for a body sent at `unix` (seconds): `t=<unix>,v1=<hex HMAC of "<t>.<body>">`. */
export function signature(secret: string, unix: number, body: Buffer): string {
  const mac = createHmac('sha256', secret).update(`${unix}.`).update(body).digest('hex')
  return `t=${unix},v1=${mac}`
}

const PREFIX = 'whsec_'

/**
 * The headers of one try to a destination: those of Standard Webhooks, and those of every delivery of the platform.
 * @param secret `whsec_<base64>`
 * @param id the same at every try, without a full stop
 * @param unix seconds of this try
 */
export function signedHeaders(secret: string, id: string, unix: number, body: Buffer): Header[] {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${unix}.`).update(body).digest('base64')
  return [
    { key: 'webhook-id', value: id },
    { key: 'webhook-timestamp', value: String(unix) },
    { key: 'webhook-signature', value: `v1,${mac}` },
    ...platformHeaders(secret, id, unix, body),
  ]
}

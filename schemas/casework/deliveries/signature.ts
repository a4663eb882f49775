/** How a receiver knows that a delivery is ours, recent and not a repeat: Standard Webhooks (decisions 13.3). */

import { createHmac } from 'node:crypto'
import type { Header } from '../../scans/webhooks/headers.ts'
import { signature } from '../../scans/webhooks/signature.ts'

const PREFIX = 'whsec_'

/**
 * The headers of one try: those of Standard Webhooks, and those of every webhook of the platform.
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
    { key: 'x-harrier-delivery', value: id },
    { key: 'x-harrier-signature', value: signature(secret, unix, body) },
  ]
}

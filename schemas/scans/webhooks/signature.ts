/** How a receiver knows that a webhook is ours and recent (decisions 7). */

import { createHmac } from 'node:crypto'

/** The value of `x-harrier-signature` for a body sent at `unix` (seconds): `t=<unix>,v1=<hex HMAC of "<t>.<body>">`. */
export function signature(secret: string, unix: number, body: Buffer): string {
  const mac = createHmac('sha256', secret).update(`${unix}.`).update(body).digest('hex')
  return `t=${unix},v1=${mac}`
}

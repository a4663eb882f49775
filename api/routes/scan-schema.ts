/** Scan tasks as they are asked for and answered (specification 2.5). */

import { Type } from 'typebox'
import type { Scan } from '../../connectors/scans/port.ts'
import { SCAN_PRIORITIES, SCAN_STATES } from '../../schemas/scan.ts'
import { MAX_TARGET } from '../../schemas/scan-target.ts'
import { CLOSED, uuid } from '../fields.ts'

export const Status = Type.Enum([...SCAN_STATES])
export const Priority = Type.Enum([...SCAN_PRIORITIES])

/** What a header may be is said by the rules of webhooks, which name the one at fault. */
const Webhook = Type.Object(
  {
    url: Type.String({ description: 'http or https; called once, when the scan has ended' }),
    headers: Type.Optional(
      Type.Array(Type.Object({ key: Type.String(), value: Type.String() }, CLOSED), {
        description: 'sent with the call',
      }),
    ),
  },
  CLOSED,
)

export const ScanBody = Type.Object(
  {
    target: Type.String({ maxLength: MAX_TARGET, description: 'IP address or fully qualified domain name' }),
    webhook: Type.Optional(Webhook),
  },
  CLOSED,
)

export const AcceptedScan = Type.Object({
  id: uuid,
  status: Status,
  webhookSecret: Type.Optional(Type.String({ description: 'signs the calls of the webhook; told this once' })),
})

/** The task that there is already. */
export const MetScan = Type.Object({ id: uuid, status: Status })

const when = Type.String({ format: 'date-time' })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])

const shown = {
  id: uuid,
  target: Type.String(),
  status: Status,
  priority: Priority,
  createdAt: when,
  startedAt: orNull(when),
  finishedAt: orNull(when),
  retries: Type.Integer({ description: 'runs that were begun again' }),
  entities: Type.Integer({ description: 'how many were submitted' }),
  error: orNull(Type.String({ description: 'what went wrong last' })),
  webhook: orNull(Type.Object({ url: Type.String(), state: Type.Enum(['pending', 'waiting', 'delivered', 'dead']) })),
}

export const ScanRecord = Type.Object(shown)
export const AdminScanRecord = Type.Object({ ...shown, userID: uuid })

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export const shownScan = ({ userId: _, createdAt, startedAt, finishedAt, ...scan }: Scan) => ({
  ...scan,
  createdAt: new Date(createdAt).toISOString(),
  startedAt: iso(startedAt),
  finishedAt: iso(finishedAt),
})

export const shownToAdmin = (scan: Scan) => ({ ...shownScan(scan), userID: scan.userId })

/** Scan tasks in requests and answers (specification 2.5). */

import { Type } from 'typebox'
import type { Scan } from '../../../connectors/postgres/scans/port.ts'
import { SCAN_PRIORITIES, SCAN_STATES, type ScanStatus } from '../../../schemas/scans/scan.ts'
import { MAX_TARGET } from '../../../schemas/scans/scan-target.ts'
import { CLOSED, uuid } from '../../http/fields/common.ts'

export const Status = Type.Enum([...SCAN_STATES])
export const Priority = Type.Enum([...SCAN_PRIORITIES])

/** What a header may be is said by the rules of webhooks, which name the one at fault. */
const Webhook = Type.Object(
  {
    url: Type.String({ description: 'http or https address; called when the scan has finished' }),
    headers: Type.Optional(
      Type.Array(Type.Object({ key: Type.String(), value: Type.String() }, CLOSED), {
        description: 'headers of the webhook call',
      }),
    ),
  },
  CLOSED,
)

export const ScanBody = Type.Object(
  {
    target: Type.String({ maxLength: MAX_TARGET, description: 'IP address or fully qualified domain name' }),
    type: Type.Optional(
      Type.Enum(['ip', 'fqdn'], {
        description: 'kind of the target. Default: detected. 400 if the target is of another kind',
      }),
    ),
    webhook: Type.Optional(Webhook),
  },
  CLOSED,
)

const task = {
  id: uuid,
  taskId: Type.String({ format: 'uuid', description: 'the same as `id`' }),
  status: Status,
  message: Type.String({ description: 'the status as text' }),
}

export const AcceptedScan = Type.Object({
  ...task,
  webhookSecret: Type.Optional(Type.String({ description: 'secret that signs the webhook calls; shown only once' })),
})

/** The task that there is already. */
export const MetScan = Type.Object(task)

const when = Type.String({ format: 'date-time' })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])

const shown = {
  ...task,
  target: Type.String(),
  priority: Priority,
  createdAt: when,
  startedAt: orNull(when),
  finishedAt: orNull(when),
  retries: Type.Integer({ description: 'number of retries' }),
  entities: Type.Integer({ description: 'number of entities that the scan submitted' }),
  error: orNull(Type.String({ description: 'the latest error' })),
  webhook: orNull(Type.Object({ url: Type.String(), state: Type.Enum(['pending', 'waiting', 'delivered', 'dead']) })),
}

export const ScanRecord = Type.Object(shown)
export const AdminScanRecord = Type.Object({ ...shown, userID: uuid })

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const MESSAGES: Record<ScanStatus, string> = {
  new: 'the scan is accepted',
  queued: 'the scan is queued',
  running: 'the scan is running',
  done: 'the scan is done',
  permanent_failure: 'the scan has failed permanently',
}

/** A task as every answer about it begins. */
export const shownTask = ({ id, status }: { id: string; status: ScanStatus }) => ({
  id,
  taskId: id,
  status,
  message: MESSAGES[status],
})

export const shownScan = ({ userId: _, createdAt, startedAt, finishedAt, ...scan }: Scan) => ({
  ...scan,
  ...shownTask(scan),
  createdAt: new Date(createdAt).toISOString(),
  startedAt: iso(startedAt),
  finishedAt: iso(finishedAt),
})

export const shownToAdmin = (scan: Scan) => ({ ...shownScan(scan), userID: scan.userId })

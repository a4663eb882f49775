/** Events of accounts: how tests write them, read them back, and say why. */

import { randomUUID } from 'node:crypto'
import { appendEvents } from '../../../connectors/postgres/operation/outbox-store.ts'
import {
  type Cause,
  type LifecycleEvent,
  type LifecycleRecord,
  lifecycleRecord,
} from '../../../schemas/accounts/lifecycle.ts'
import { readLifecycle } from '../../../schemas/accounts/lifecycle-read.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

const encode = encoder<LifecycleRecord>(records.lifecycle, 1)
const decode = decoder<LifecycleRecord>(records.lifecycle, () => records.lifecycle)

/** The event as it crosses the log. */
export const bytesOf = (event: LifecycleEvent): Buffer => encode(lifecycleRecord(event))

export const append = appendEvents(bytesOf)

/** The event as a consumer reads it. */
export function lifecycleIn(bytes: Buffer | null): LifecycleEvent {
  const decoded = decode(bytes ?? Buffer.alloc(0))
  if (!decoded.ok) throw new Error(decoded.reason)
  const read = readLifecycle(decoded.record)
  if (!read.ok || read.event === null) throw new Error(read.ok ? 'an unknown type' : read.reason)
  return read.event
}

export const cause = (given: Partial<Cause> = {}): Cause => ({
  id: randomUUID(),
  actor: { userID: randomUUID(), kind: 'admin' },
  now: 1_800_000_000_000,
  ...given,
})

/** The idempotency key of one request, while this process has it (decisions 15.1; ADR 273). */

import { createHash, hash } from 'node:crypto'
import { type EventLog, OffsetGone } from '../../../../connectors/log/port.ts'
import {
  BULK_LEASE_MS,
  type BulkKey,
  type BulkProgress,
  type BulkRequest,
  type BulkRequests,
} from '../../../../connectors/postgres/intelligence/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { type BulkIds, bulkIds } from '../../../../schemas/intelligence/ingest/bulk-ids.ts'
import { observationIdOf } from '../../../../schemas/log/observation-id.ts'
import { OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import { ApiError, invalid } from '../../../http/errors.ts'

// What of a request is in the log already, found by its ids (ADR 273).

/** Observations by id, and the last line of which one was found; 0: none. */
type DurablePart = { ids: ReadonlySet<string>; lastLine: number }

const NOTHING_DURABLE: DurablePart = { ids: new Set(), lastLine: 0 }

/** Records of one batch. */
const BATCH = { maxRecords: 4_000, maxBytes: 4 * 1024 * 1024 }

/**
 * Reads the log from where its partitions ended (`offsets`) to where they end now. Rejects when the log cannot be read.
 * What retention has removed meanwhile is left out.
 */
async function durablePart(
  log: Pick<EventLog, 'offsets' | 'tail'>,
  ids: BulkIds,
  offsets: readonly number[],
): Promise<DurablePart> {
  const found = new Set<string>()
  let lastLine = 0
  const ends = await log.offsets(OBSERVATIONS)
  const left = new Map<number, number>()
  const from = ends.map(({ partition, low, high }) => {
    const offset = Math.min(high, Math.max(low, offsets[partition] ?? low))
    if (offset < high) left.set(partition, high)
    return { partition, offset }
  })
  if (left.size === 0) return { ids: found, lastLine }
  const { promise: read, resolve } = Promise.withResolvers<void>()
  const tail = await log.tail({ topic: OBSERVATIONS, from, ...BATCH }, ({ partition, messages, to }) => {
    for (const { value } of messages) {
      const id = observationIdOf(value)
      const line = id === null ? null : ids.lineOf(id)
      if (id === null || line === null) continue
      found.add(id)
      lastLine = Math.max(lastLine, line)
    }
    const high = left.get(partition)
    if (high !== undefined && to >= high) left.delete(partition)
    if (left.size === 0) resolve()
  })
  try {
    await Promise.race([read, tail.closed])
  } catch (error) {
    // Retention went on while this began: the part that is left begins further on.
    if (!(error instanceof OffsetGone)) throw error
    return durablePart(log, ids, offsets)
  } finally {
    tail.closed.catch(() => undefined)
    await tail.stop().catch(() => undefined)
  }
  return { ids: found, lastLine }
}

export type KeyPorts = {
  bulkRequests: BulkRequests
  bulkLog: Pick<EventLog, 'send' | 'offsets' | 'tail'>
  now: () => number
  newId: () => string
}

/** How long a part of a body is, from its beginning, and its SHA-256. */
export type BodyMark = Pick<BulkProgress, 'bytes' | 'digest'>

export type HeldKey = {
  /** How far an attempt before this one was. */
  request: BulkRequest
  ids: BulkIds
  /** What of the rest is in the log. */
  durable: DurablePart
  /** The body goes on with these bytes. Returns how long it is by then, and its digest. */
  add(piece: Buffer): BodyMark
  /** Throws when another attempt may have the key: nothing may be sent any more. */
  hold(): Promise<void>
  /** Stores that everything up to there is durable or refused. Throws as `hold`. */
  advance(progress: Omit<BulkProgress, 'offsets'>): Promise<void>
  /** @param clean false: something may still be on its way to the log; the lease ends by itself */
  release(clean: boolean): Promise<void>
}

const MAX_KEY = 255
/** Three renewals to a lease: two in a row may fail. */
const RENEW_MS = BULK_LEASE_MS / 3
/** Before a send, so much of the lease is left: it is longer than a send begins late. */
const LEFT_MS = BULK_LEASE_MS / 2

const keyLost = (): Error => new Error('another attempt has the idempotency key')

/** Throws 400 for a key that is none, 409 (`in_progress`) while another attempt has it, in any process. */
export async function holdKey(ports: KeyPorts, user: Identity, given: string): Promise<HeldKey> {
  const { bulkRequests: requests, bulkLog: log, now, newId } = ports
  if (given.length < 1 || given.length > MAX_KEY)
    throw invalid('idempotency-key', `must have 1 to ${MAX_KEY} characters`)
  const key: BulkKey = { caller: user.userId, keyHash: hash('sha256', given, 'buffer') }
  const attempt = newId()
  const ends = await endsOf(log)
  const claimedAt = now()
  const claim = await requests.claim(key, attempt, { offsets: ends, groups: [...user.ownGroups] }, claimedAt)
  if (claim.state === 'taken') {
    const retryAfter = Math.max(1, Math.ceil((claim.until - claimedAt) / 1_000))
    throw new ApiError('in_progress', { retryAfter })
  }
  const { request, fresh } = claim
  const ids = bulkIds(key.caller, key.keyHash, request.startedAt)
  let heldUntil = claimedAt + BULK_LEASE_MS
  let lost = false

  const renewed = (kept: boolean, at: number): void => {
    if (kept) heldUntil = at + BULK_LEASE_MS
    else lost = true
  }
  const renew = async (): Promise<void> => {
    const at = now()
    renewed(await requests.renew(key, attempt, at), at)
  }
  const renewing = setInterval(() => void renew().catch(() => undefined), RENEW_MS)
  const release = async (clean: boolean): Promise<void> => {
    clearInterval(renewing)
    // A lease that cannot be given back ends by itself.
    if (clean && !lost) await requests.release(key, attempt).catch(() => undefined)
  }

  const sum = createHash('sha256')
  let bytes = 0
  try {
    const durable = fresh || request.finished ? NOTHING_DURABLE : await durablePart(log, ids, request.offsets)
    return {
      request,
      ids,
      durable,
      add(piece) {
        bytes += piece.length
        sum.update(piece)
        return { bytes, digest: sum.copy().digest() }
      },
      async hold() {
        if (heldUntil - now() < LEFT_MS) await renew()
        if (lost) throw keyLost()
      },
      async advance(progress) {
        const offsets = await endsOf(log)
        const at = now()
        renewed(await requests.advance(key, attempt, { ...progress, offsets }, at), at)
        if (lost) throw keyLost()
      },
      release,
    }
  } catch (error) {
    await release(true)
    throw error
  }
}

async function endsOf(log: Pick<EventLog, 'offsets'>): Promise<number[]> {
  const ends: number[] = []
  for (const { partition, high } of await log.offsets(OBSERVATIONS)) ends[partition] = high
  return ends
}

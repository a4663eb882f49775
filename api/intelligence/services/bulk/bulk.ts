/** Many reports in one request, streamed both ways (decisions 15.1; ADR 273). */

import type { Metrics } from '../../../../connectors/metrics/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { type LineWriter, lineWriters } from '../../../http/answers/line-writer.ts'
import { StreamBody } from '../../../http/answers/stream-body.ts'
import type { LineStream } from '../../../http/bodies/line-stream.ts'
import { NDJSON } from '../../../http/bodies/lines-body.ts'
import { ApiError, lineError } from '../../../http/errors.ts'
import type { TakenUnits } from '../../../http/limits/up-to.ts'
import { type IntakePorts, takeIn } from './intake.ts'
import { type HeldKey, holdKey, type KeyPorts } from './key.ts'
import { errorLine } from './portion.ts'
import { type Compared, type Repeat, repeatOf } from './repeat.ts'
import { lineUnits } from './units.ts'

export type BulkPorts = KeyPorts &
  Omit<IntakePorts, 'counted'> & {
    metrics: Pick<Metrics['instruments'], 'harrier_ingest_observations_total'>
  }

export type BulkBody = {
  user: Identity
  lines: LineStream
  /** The header `idempotency-key`. */
  key: string | undefined
  takeUpTo: (units: number) => Promise<TakenUnits>
  /** Who the caller is by now. */
  again: () => Promise<Identity | null>
  /**
   * Whether the answer begins when the body has ended, for a proxy in between: nginx passes nothing more of a body on once
   * its answer has begun. It begins before only when no more answers have room.
   */
  afterBody: boolean
}

/** Requests of a process at the same time, and of one user among them. */
const AT_ONCE = 64
const AT_ONCE_OF_USER = 8
/** How long a client that repeats a request may send nothing before it is answered. */
const STALL_MS = 1_000

const NOTHING_BEFORE = { lines: 0, count: 0, accepted: 0, rejected: 0 }

export function bulkService(ports: BulkPorts) {
  const newWriter = lineWriters()
  const running = new Map<string, number>()
  let all = 0
  const counted = (observations: number): void =>
    ports.metrics.harrier_ingest_observations_total.inc({ kind: 'report' }, observations)

  /** Throws 503 while too many are under way. Returns what ends this one. */
  function enter(userId: string): () => void {
    const own = running.get(userId) ?? 0
    if (all >= AT_ONCE || own >= AT_ONCE_OF_USER) throw new ApiError('busy')
    running.set(userId, own + 1)
    all++
    return () => {
      all--
      const left = running.get(userId)! - 1
      if (left > 0) running.set(userId, left)
      else running.delete(userId)
    }
  }

  return {
    /**
     * Resolves to the answer once the request is not refused as a whole. Throws 400 for a key that is none, 409
     * (`in_progress`, `idempotency_mismatch`), 503 (`busy`).
     */
    async accept({ user, lines, key: given, takeUpTo, again: whoNow, afterBody }: BulkBody): Promise<StreamBody> {
      const leave = enter(user.userId)
      const writer = newWriter()
      let key: HeldKey | null = null
      let ended: Promise<void> | null = null
      let taking: Promise<boolean> | null = null
      const end = (clean: boolean): Promise<void> => {
        if (ended !== null) return ended
        leave()
        lines.leave()
        ended = key?.release(clean) ?? Promise.resolve()
        return ended
      }
      try {
        if (given !== undefined) key = await holdKey(ports, user, given)
        const repeat = key !== null && key.request.bytes + Number(key.request.finished) > 0
        const again = repeat ? repeatOf(key!, user, lines, writer) : null
        const compared = (await again?.compare(STALL_MS)) ?? 'same'
        if (compared === 'other') throw new ApiError('idempotency_mismatch')
        const units = lineUnits(takeUpTo, ports.now)
        /** Resolves to whether nothing that the log was given may still arrive. */
        const take = async (): Promise<boolean> => {
          if ((await finishComparing(again, compared, writer)) !== 'same') return true
          const before = again?.answered() ?? NOTHING_BEFORE
          return (await takeIn({ ...ports, counted }, { user, whoNow, lines, writer, units, key, before })).clean
        }
        if (afterBody) {
          taking = take()
          // Told below, also when the answer has begun meanwhile.
          taking.catch(() => undefined)
          await Promise.race([taking, writer.full()])
        }
        return new StreamBody(NDJSON, async (sink) => {
          sink.signal.addEventListener('abort', () => lines.leave(), { once: true })
          writer.open(sink)
          let clean = false
          try {
            clean = await (taking ?? take())
            await writer.flushed()
            // A client that was told everything may send the same again at once.
            await end(clean)
            sink.end()
          } finally {
            writer.close()
            await end(clean)
          }
        })
      } catch (error) {
        writer.close()
        await end(taking === null)
        throw error
      }
    },
  }
}

export type BulkService = ReturnType<typeof bulkService>

/** The rest of what was taken before; another body is only told by a line now. */
async function finishComparing(again: Repeat | null, before: Compared, writer: LineWriter): Promise<Compared> {
  const compared = before === 'unsure' ? await again!.compare() : before
  const line = (again?.answered().lines ?? 0) + 1
  if (compared === 'other') writer.write(errorLine(line, lineError(new ApiError('idempotency_mismatch'))))
  if (compared === 'late') writer.write(errorLine(line, { code: 'request_timeout', message: 'the body took too long' }))
  return compared
}

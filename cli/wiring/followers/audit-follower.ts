import { auditStore } from '../../../connectors/history/audit/audit-store.ts'
import { auditJob } from '../../../pipelines/jobs/operation/audit-job.ts'
import { pause } from '../../../platform/pause.ts'
import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import type { FollowParts, RunningFollower } from './start.ts'

/** Brings audit records into the table that is read, until stopped; several processes share the partitions (ADR 278). */
export async function startAudit({ breakers, home, log, registry, logger }: FollowParts): Promise<RunningFollower> {
  const store = auditStore(home)
  const job = auditJob({
    store,
    registry,
    pause,
    onUnreadable: (place, reason) =>
      logger.error({ ...place, reason }, 'an audit record cannot be read; see harrier guide audit'),
    onFailure: (err) => logger.warn({ err }, 'cannot store audit records for reading; retrying'),
  })
  if (await store.isEmpty()) await again(log, job.group, logger)
  return breakers.consume(job, job.eachBatch)
}

/** An empty table is made of the whole log, also by a group that has read it before. */
async function again(log: FollowParts['log'], group: string, logger: FollowParts['logger']): Promise<void> {
  const read = (await log.committed(group, AUDIT_EVENTS)).filter(({ offset }) => (offset ?? 0) > 0)
  if (read.length === 0) return
  const lows = new Map((await log.offsets(AUDIT_EVENTS)).map(({ partition, low }) => [partition, low]))
  const from = read.map(({ partition }) => ({ partition, offset: lows.get(partition) ?? 0 }))
  try {
    await log.setOffsets(group, AUDIT_EVENTS, from)
    logger.info({ partitions: read.length }, 'the table of audit records is empty; it is rebuilt from the log')
  } catch (err) {
    // Another process of the group reads already.
    logger.warn({ err }, 'the table of audit records is empty and cannot be rebuilt while another process fills it')
  }
}

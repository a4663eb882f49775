import type { Batch, Unread } from '../../../connectors/log/port.ts'
import type { Job } from '../../../pipelines/runtime/job.ts'
import type { FollowParts } from './start.ts'

/** What is done while the process leads, and its end. */
type Term = {
  job: { eachBatch(batch: Batch): Promise<void>; skips?: (records: Unread) => Promise<boolean> }
  end(): Promise<void>
}

/**
 * A job that one process does and others wait for: each time that it leads, it begins with what is stored (ADR 274).
 * `does` and `may` are said of the process in the log.
 */
export function led(
  reads: Omit<Job, 'eachBatch' | 'leader'>,
  logger: FollowParts['logger'],
  { does, may }: { does: string; may: string },
  begin: () => Term,
): Job {
  let term: Term | null = null
  return {
    ...reads,
    leader: {
      async changed(leads) {
        await term?.end()
        term = leads ? begin() : null
        logger.info({ leads }, leads ? `this process ${does}` : `another process may ${may}`)
      },
    },
    skips: async (records) => (await term?.job.skips?.(records)) ?? false,
    async eachBatch(batch) {
      if (term === null) throw new Error(`a batch reached this process, but only the leading process ${does}`)
      await term.job.eachBatch(batch)
    },
  }
}

import type { Logger } from 'pino'
import type { JobReport } from '../process/job-metrics.ts'

/** Says and counts that a consumer of this process begins anew (ADR 253). */
export const lostPlace =
  (logger: Logger, report: (news: JobReport) => void) =>
  (lost: { group: string; reason: string }): void => {
    logger.warn(lost, 'a consumer lost its place in its group and joins again')
    report({ lost })
  }

import type { Logger } from 'pino'
import { startMovingInstances } from '../../../pipelines/jobs/accounts/instances.ts'
import type { Config } from '../../../platform/config.ts'
import type { ApiParts } from '../open/api-parts.ts'

/** Moves instances on until stopped; every process that serves the API does, each instance one of them at a time. */
export const moveInstances = (
  { computeStepMs: stepMs }: Pick<Config, 'computeStepMs'>,
  { compute: { due, driver }, work }: Pick<ApiParts, 'compute' | 'work'>,
  logger: Logger,
) =>
  startMovingInstances({
    due,
    driver,
    stepMs,
    work,
    now: Date.now,
    onFailure: (err) => logger.warn({ err }, 'cannot advance compute instances; retrying'),
  })

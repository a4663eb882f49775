import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { createApp } from '../api/app.ts'
import { listen } from '../api/server.ts'
import { packagedGeo } from '../connectors/geo/packaged.ts'
import type { History } from '../connectors/history/port.ts'
import { prometheusMetrics } from '../connectors/metrics/prometheus.ts'
import type { BatchReport } from '../pipelines/jobs/observations.ts'
import type { Config } from '../schemas/config.ts'
import { closing } from './closing.ts'
import { openAccounts } from './open/accounts.ts'
import { openLog } from './open/log.ts'
import { openRegistry } from './open/registry.ts'

export type Api = {
  url: string
  registryUrl: string
  /** Takes the figures of a batch that a job stored into the metrics. */
  observed(report: BatchReport): void
  stop(): Promise<void>
}

export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

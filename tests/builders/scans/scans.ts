/** Scan tasks over a database that a test has open, a scanner that does as it is told, and workers. */

import { randomUUID } from 'node:crypto'
import type { ScanFindings, Scanner, ScanTarget } from '../../../connectors/network/scanner/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyOutbox } from '../../../connectors/postgres/operation/outbox-store.ts'
import type { NewScan } from '../../../connectors/postgres/scans/port.ts'
import type { ScanRequest } from '../../../connectors/postgres/scans/scan-changes.ts'
import { kyselyScans } from '../../../connectors/postgres/scans/scan-store.ts'
import { requestsPublished } from '../../../connectors/postgres/scans/scan-work.ts'
import type { WorkerPorts } from '../../../pipelines/jobs/scans/scan-worker.ts'
import { decoder, encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { encodeObservation } from '../log/sent-observations.ts'

const encodeRequest = encoder<ScanRequest>(records.scanRequest, 1)
const decodeRequest = decoder<ScanRequest>(records.scanRequest, () => records.scanRequest)

/** The request in a record of the log. */
export function requestIn(record: Buffer): ScanRequest {
  const decoded = decodeRequest(record)
  if (!decoded.ok) throw new Error(decoded.reason)
  return decoded.record
}

export const scansOver = (db: AccountsDatabase['db']) => kyselyScans(db, encodeRequest)

/** The outbox as the platform opens it. */
export const outboxOver = (db: AccountsDatabase['db']) => kyselyOutbox(db, requestsPublished)

export const newScan = (given: Partial<NewScan> & { host?: string } = {}): NewScan => {
  const { host = '192.0.2.1', ...rest } = given
  return {
    id: randomUUID(),
    target: { kind: 'ip', value: host },
    priority: 'user',
    userId: randomUUID(),
    account: false,
    source: 'customer-1',
    trust: 0.6,
    audience: ['blue'],
    webhook: null,
    createdAt: 1_800_000_000_000,
    ...rest,
  }
}

/** What a scan finds unless it is told otherwise: the target and a name of it. */
const findingsOf = ({ value }: Pick<ScanTarget, 'value'>): ScanFindings => ({
  entities: [
    {
      type: 'ip',
      attributes: { ip: value },
      associations: [{ mode: 'association', type: 'hostname', attributes: { hostname: `host-${value}.example.com` } }],
    },
  ],
})

/** A scanner that finds something at once, or as soon as the gate of the target opens; it ends when it is told to. */
export function fakeScanner(gates: Record<string, Promise<void>> = {}) {
  const begun: string[] = []
  const scanner: Scanner = {
    async scan(target, signal) {
      begun.push(target.value)
      const told = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => told.reject(signal.reason))
      await Promise.race([gates[target.value], ...(target.value in gates ? [told.promise] : [])])
      return findingsOf(target)
    },
  }
  return { scanner, begun }
}

/** A process that runs scans, as the platform starts it. */
export function workerOver(db: AccountsDatabase['db'], given: Partial<WorkerPorts> = {}) {
  const runs: string[] = []
  const failures: Error[] = []
  const ports: WorkerPorts = {
    scans: scansOver(db),
    scanner: fakeScanner().scanner,
    encode: encodeObservation,
    now: Date.now,
    holder: randomUUID(),
    onRun: (outcome) => void runs.push(outcome),
    onFailure: (error) => void failures.push(error),
    ...given,
  }
  return { ports, runs, failures }
}

import type { paths } from '../../api/schema.d.ts'

export type Scan =
  paths['/api/ingest/v1/scans']['get']['responses'][200]['content']['application/json']['results'][number]
export type ScanStatus = Scan['status']

/** The explanation of a state, and a sign next to its word. */
export const SCAN_STATES: Record<ScanStatus, { label: string; sign: string; colour: string; about: string }> = {
  new: { label: 'New', sign: '○', colour: 'gray', about: 'Being sent to the workers.' },
  queued: { label: 'Queued', sign: '◔', colour: 'gray', about: 'Waiting for a worker.' },
  running: { label: 'Running', sign: '◑', colour: 'blue', about: 'A worker is scanning the target.' },
  done: { label: 'Done', sign: '●', colour: 'teal', about: 'The findings were reported and can be searched.' },
  permanent_failure: { label: 'Failed', sign: '✗', colour: 'red', about: 'All attempts have failed.' },
}

export const isScanStatus = (name: string | null): name is ScanStatus =>
  name !== null && Object.hasOwn(SCAN_STATES, name)

/** Whether the scan can still change. */
export const isActive = ({ status, webhook }: Pick<Scan, 'status' | 'webhook'>): boolean =>
  ['new', 'queued', 'running'].includes(status) || webhook?.state === 'pending' || webhook?.state === 'waiting'

/** The outcome of the webhook call. */
export const WEBHOOK_STATES: Record<NonNullable<Scan['webhook']>['state'], string> = {
  pending: 'will be called when the scan ends',
  waiting: 'is being called',
  delivered: 'was called',
  dead: 'could not be reached',
}

/** How long a scan took or has been running, in milliseconds; null before it began. */
export const scanDurationMs = (
  { startedAt, finishedAt }: Pick<Scan, 'startedAt' | 'finishedAt'>,
  now: number,
): number | null =>
  startedAt === null ? null : (finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt)

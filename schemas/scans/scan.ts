/** The states of a scan task and what leads from one to the next (specification 3.1, 8.4; decisions 7). */

export const SCAN_STATES = ['new', 'queued', 'running', 'done', 'permanent_failure'] as const
export type ScanStatus = (typeof SCAN_STATES)[number]

export const SCAN_PRIORITIES = ['user', 'automatic'] as const
export type ScanPriority = (typeof SCAN_PRIORITIES)[number]

const HOUR_MS = 60 * 60 * 1000
/** As long in `running`, a task counts as stuck. */
export const STUCK_MS = 4 * HOUR_MS
export const MAX_RETRIES = 2
/** A task in any state is removed this long after its creation. */
export const KEEP_MS = 168 * HOUR_MS

/** The owner of scans that the platform starts by itself. */
export const SYSTEM_USER = '00000000-0000-8000-8000-000000000001'

/** Where a task stands. Times in unix milliseconds. */
export type ScanPhase = {
  status: ScanStatus
  /** Runs that were begun again because one failed. */
  retries: number
  /** When the state began. */
  since: number
  /** Until when its worker holds it. */
  leaseUntil: number
}

/**
 * `published`: its request is on the log. `taken`: a worker has it. `finished`, `failed`, `refused` (no retry will help):
 * the result. `released`: a worker that shuts down gives it back. `expired`: its worker stopped renewing the lease.
 * `stuck`: it runs for too long.
 * `asked`: an administrator requested another run.
 */
export const SCAN_EVENTS = [
  'published',
  'taken',
  'finished',
  'failed',
  'refused',
  'released',
  'expired',
  'stuck',
  'asked',
] as const
export type ScanEvent = (typeof SCAN_EVENTS)[number]

/** `publish`: a request has to go to the log. */
export type ScanStep = { status: ScanStatus; retries: number; publish: boolean }

/** What an event makes of a task at `now` (unix milliseconds); null when it means nothing there. */
export function next(task: ScanPhase, event: ScanEvent, now: number): ScanStep | null {
  const { status, retries } = task
  const to = (state: ScanStatus): ScanStep => ({ status: state, retries, publish: false })
  if (status === 'new') return event === 'published' ? to('queued') : null
  if (status === 'queued') return event === 'taken' ? to('running') : null
  if (status !== 'running') return event === 'asked' ? { status: 'queued', retries: 0, publish: true } : null
  if (event === 'finished') return to('done')
  if (event === 'refused') return to('permanent_failure')
  if (event === 'released') return { ...to('queued'), publish: true }
  const failed =
    event === 'failed' ||
    (event === 'expired' && task.leaseUntil <= now) ||
    (event === 'stuck' && now - task.since >= STUCK_MS)
  if (!failed) return null
  return retries < MAX_RETRIES ? { status: 'queued', retries: retries + 1, publish: true } : to('permanent_failure')
}

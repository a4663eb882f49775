import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../platform/config.ts'
import { readTiers } from '../../wiring/open/tiers.ts'
import { type Check, type Finding, ok, warn } from './finding.ts'

const LOOK_MS = 500
const MAX_STEP_MS = 50

/** Checks that the wall clock advances as fast as the monotonic clock. */
export const clockCheck = (now: () => number = Date.now, monotonic: () => number = () => performance.now()): Check => ({
  name: 'clock',
  todo: 'check the clock of this machine',
  async run() {
    const [wall, steady] = [now(), monotonic()]
    await sleep(LOOK_MS)
    const step = now() - wall - (monotonic() - steady)
    if (Math.abs(step) <= MAX_STEP_MS) return [ok('the clock of this machine is steady')]
    return [
      warn(
        `the clock of this machine jumped by ${Math.round(step)} ms during the check`,
        'configure time synchronisation to slew instead of step (chrony: makestep only at boot)',
      ),
    ]
  },
})

/** Checks the tiers file; a start refuses an invalid one. */
export const tiersCheck = (path: string | null): Check => ({
  name: 'limits',
  todo: 'correct the file; the platform refuses to start with it',
  async run() {
    const tiers = readTiers(path)
    return [ok(`${path ?? 'the built-in limits'}: ${Object.keys(tiers).length} tiers`)]
  },
})

/** Reports settings that are meant for tests, and missing settings that other settings require. */
export function settingsFound(config: Config): Omit<Finding, 'check'>[] {
  const found: Omit<Finding, 'check'>[] = []
  const { isLocal } = config
  if (!isLocal && config.trustedProxies === 0)
    found.push(
      warn(
        `the API listens on ${config.host} without a proxy in front of it`,
        'put a TLS proxy in front of it and set HARRIER_TRUSTED_PROXIES, or set HOST=127.0.0.1',
      ),
    )
  if (config.scanAllowPrivate)
    found.push(warn('scans may go to private addresses', 'unset HARRIER_SCAN_ALLOW_PRIVATE; it is meant for tests'))
  if (config.webhookAllowPrivate)
    found.push(
      warn('webhooks may go to private addresses', 'unset HARRIER_WEBHOOK_ALLOW_PRIVATE; it is meant for tests'),
    )
  if (config.smtpUrl === null && (!isLocal || config.databaseUrl !== null))
    found.push(warn('no mail is sent, so users cannot verify sessions', 'set SMTP_URL'))
  if (config.administrator === null && config.databaseUrl !== null)
    found.push(warn('there is no built-in administrator', 'set HARRIER_ADMIN_KEY and HARRIER_ADMIN_SECRET'))
  return found.length === 0 ? [ok('no unsafe settings')] : found
}

export const settingsCheck = (config: Config): Check => ({
  name: 'settings',
  todo: 'check the environment variables',
  run: async () => settingsFound(config),
})

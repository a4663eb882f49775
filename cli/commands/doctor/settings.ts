import type { Config } from '../../../platform/config.ts'
import { type Check, type Finding, ok, warn } from './finding.ts'

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

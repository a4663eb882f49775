/** Scans of addresses and names, for those who ask for them and for administrators (specification 4.3, decisions 7). */

import { randomBytes } from 'node:crypto'
import type { Scan, ScanFilter, ScanTasks } from '../../../connectors/postgres/scans/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { ScanStatus } from '../../../schemas/scans/scan.ts'
import { scanTarget } from '../../../schemas/scans/scan-target.ts'
import { type Header, webhookHeaders } from '../../../schemas/scans/webhooks/headers.ts'
import { webhookUrl } from '../../../schemas/scans/webhooks/url.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { audienceOf, submitterOf } from '../../intelligence/services/report/submitter.ts'

/** What callers call the kinds of target. */
const KINDS = { ip: 'ip', domain: 'fqdn' } as const

export type ScanServicePorts = { scans: ScanTasks; now: () => number; newId: () => string }

export type ScanRules = { scanAllowPrivate: boolean; webhookAllowPrivate: boolean }

type ScanRequest = { target: string; type?: 'ip' | 'fqdn'; webhook?: { url: string; headers?: Header[] } }
type Accepted = { created: boolean; task: { id: string; status: ScanStatus; webhookSecret?: string } }

export function scanService({ scans, now, newId }: ScanServicePorts, rules: ScanRules) {
  function webhookOf(given: NonNullable<ScanRequest['webhook']>) {
    const url = webhookUrl(given.url, { allowPrivate: rules.webhookAllowPrivate })
    if (!url.ok) throw new ApiError('invalid_parameter', url)
    const headers = webhookHeaders(given.headers ?? [])
    if (!headers.ok) throw new ApiError('invalid_parameter', headers)
    return { url: url.url, headers: headers.headers, secret: randomBytes(32).toString('base64url') }
  }

  return {
    /**
     * The caller's task for the target, created when there is none; only then the answer has the secret of its webhook.
     * Throws 400 for a target or webhook that must not be contacted, or a target that is not of the stated type.
     */
    async ask(user: Identity, request: ScanRequest): Promise<Accepted> {
      const target = scanTarget(request.target, { allowPrivate: rules.scanAllowPrivate })
      if (!target.ok) throw invalid('target', target.message)
      if (request.type !== undefined && request.type !== KINDS[target.target.kind])
        throw invalid(
          'type',
          `does not match the target, which is ${target.target.kind === 'ip' ? 'an address' : 'a name'}`,
        )
      const webhook = request.webhook === undefined ? null : webhookOf(request.webhook)
      const made = await scans.schedule({
        id: newId(),
        target: target.target,
        priority: 'user',
        account: !user.builtIn,
        ...submitterOf(user),
        audience: audienceOf(user, null),
        webhook,
        createdAt: now(),
      })
      // Its account was deleted under its hands.
      if (made === 'no user') throw new ApiError('unauthorized')
      const secret = made.created && webhook !== null ? { webhookSecret: webhook.secret } : {}
      return { created: made.created, task: { ...made.scan, ...secret } }
    },

    /** A task of this user; throws 404 for any other. */
    own: async (user: Identity, id: string): Promise<Scan> => requireScan(await scans.scan(id, user.userId)),

    /** Anybody's task, for administrators. */
    any: async (id: string): Promise<Scan> => requireScan(await scans.scan(id)),

    /** Everybody's, or of `userId` those of one user; newest first. */
    list: (filter: ScanFilter, { limit, page }: { limit: number; page: number }) =>
      scans.list(filter, { limit, offset: (page - 1) * limit }),

    /** Queues a task again that has ended; throws 404 and 409. */
    async retry(id: string): Promise<Scan> {
      const done = await scans.again(id, now())
      if (done === 'unchanged') throw new ApiError('conflict', { message: 'the scan has not finished' })
      return requireScan(done === 'no task' ? null : await scans.scan(id))
    },
  }
}

export type ScanService = ReturnType<typeof scanService>

function requireScan(scan: Scan | null): Scan {
  if (scan === null) throw new ApiError('not_found', { message: 'no such scan' })
  return scan
}

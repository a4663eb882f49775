/** Accounts that are made while processes die, against their audit records. */

import { setTimeout as sleep } from 'node:timers/promises'
import { auditDecoder } from '../../../../cli/commands/audit/records.ts'
import type { EventLog } from '../../../../connectors/log/port.ts'
import type { Registry } from '../../../../connectors/registry/port.ts'
import { AUDIT_EVENTS } from '../../../../schemas/log/topics.ts'
import { command as harrier } from '../../../builders/platform/command.ts'
import { eventually, type Platform } from '../../../builders/platform/platform.ts'

const CLIENTS = 4
/** After an answer that is none: the platform starts. */
const AGAIN_MS = 50
const ENDS_MS = 60_000

export type Accounts = { asked(): number; acknowledged(): number; stop(): Promise<void> }

/** Clients that make users until stopped, one after another. */
export function startAccounts(platform: () => Pick<Platform, 'ask'>, everyMs = 0): Accounts {
  let [asked, acknowledged, isOver] = [0, 0, false]
  const client = async (name: number): Promise<void> => {
    while (!isOver) {
      const email = `user-${name}-${asked++}@example.com`
      const answer = await platform()
        .ask('/auth/v2/admin/user', { email })
        .catch(() => null)
      if (answer?.status === 201) acknowledged++
      await sleep(answer?.status === 201 ? everyMs : AGAIN_MS)
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, (_, name) => client(name)))
  return {
    asked: () => asked,
    acknowledged: () => acknowledged,
    async stop() {
      isOver = true
      await running
    },
  }
}

type Told = Pick<Registry, 'known' | 'schema'>

/** Users that the log says were made. */
async function recordsOf(log: EventLog, registry: Told): Promise<number> {
  const decode = auditDecoder(registry)
  const subjects = new Set<string>()
  for (const { partition, low, high } of await log.offsets(AUDIT_EVENTS))
    for await (const messages of log.scan(AUDIT_EVENTS, partition, low, high))
      for (const read of await decode(messages))
        if (read.ok && read.record.action === 'user.make') subjects.add(read.record.subject)
  return subjects.size
}

/**
 * Every user of a platform that runs against the audit records of its users, once they are there.
 * @param log its log, opened for looking
 */
export async function auditVerdict(
  { ask, dataDir }: Pick<Platform, 'ask' | 'dataDir'>,
  log: EventLog,
  registry: Told,
  acknowledged: number,
): Promise<{ changes: number; records: number; verified: string; faults: string[] }> {
  const made = await usersOf(ask)
  // A look at the log costs less than a command; what one says is checked afterwards.
  const enough = (records: number): boolean => records >= made.size
  await eventually(() => recordsOf(log, registry), enough, ENDS_MS).catch(() => undefined)
  const { stdout } = await harrier(dataDir, 'audit', 'export')
  const recorded = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { action: string; subject: string })
    .filter(({ action }) => action === 'user.make')
    .map(({ subject }) => subject)
  const { code, stdout: verified } = await harrier(dataDir, 'audit', 'verify')
  const distinct = new Set(recorded)
  const missing = [...made].filter((id) => !distinct.has(id)).length
  const extra = [...distinct].filter((id) => !made.has(id)).length
  const faults: string[] = []
  if (missing > 0) faults.push(`${missing} changes have no record`)
  if (extra > 0) faults.push(`${extra} records have no change`)
  if (recorded.length > distinct.size) faults.push(`${recorded.length - distinct.size} changes have two records`)
  if (code !== 0) faults.push(`verify ended with ${code}: ${verified}`)
  if (made.size < acknowledged) faults.push(`${acknowledged - made.size} acknowledged changes are gone`)
  if (acknowledged === 0) faults.push('no account was made')
  return { changes: made.size, records: recorded.length, verified: verified.trimEnd(), faults }
}

/** Ids of all users. */
async function usersOf(ask: Platform['ask']): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await ask(`/auth/v2/admin/users?limit=100&page=${page}`)
    pages = body.pages
    for (const { userID } of body.users) ids.add(userID)
  }
  return ids
}

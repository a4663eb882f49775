/** The job that fires alerts over the accounts database of a test, fed with changes by hand. */

import { randomUUID } from 'node:crypto'
import type { Batch, LogMessage } from '../../../../connectors/log/port.ts'
import { untilStored } from '../../../../connectors/operations/changes/until-stored.ts'
import { kyselyAlertStore } from '../../../../connectors/postgres/casework/alerts/alert-store.ts'
import type { AlertStore } from '../../../../connectors/postgres/casework/alerts/port.ts'
import { kyselyCasework } from '../../../../connectors/postgres/casework/casework-store.ts'
import { alertsJob } from '../../../../pipelines/jobs/casework/alerts-job.ts'
import type { AlertsPorts, AlertsReport } from '../../../../pipelines/jobs/casework/ports.ts'
import { BUILT_IN_TIERS } from '../../../../schemas/accounts/tiers/tiers.ts'
import type { Content } from '../../../../schemas/casework/casework.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../schemas/intelligence/state/change.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { CHANGES, MATCHES, OBSERVATIONS } from '../../../../schemas/log/topics.ts'
import type { MatchRecord } from '../../../../schemas/match/match.ts'
import { crew, embeddedPeople } from '../../accounts/team.ts'
import { positioned, replayedChanges } from '../../intelligence/changes.ts'
import { defaultRules } from '../../platform/data-folder.ts'

const known = (id: number) => (id === 2 ? records.match : records.change)
const registry = { schema: async (id: number) => known(id), known } as never
const encode = encoder<Change>(records.change, 1)
const encodeMatch = encoder<MatchRecord>(records.match, 2)

export type AlertsWorld = Awaited<ReturnType<typeof alertsWorld>>

export async function alertsWorld() {
  const people = await embeddedPeople()
  const { db } = people
  const casework = kyselyCasework(db, BUILT_IN_TIERS)
  const clock = { now: 1_800_000_000_000 }
  /** Records in the partitions of `entity.observations`. */
  const ends = new Map<number, number>()
  let committed = Number.MAX_SAFE_INTEGER
  const sent: { topic: string; messages: readonly unknown[] }[] = []

  return {
    people,
    casework,
    clock,
    sent,
    /** Up to where the observations are stored, and how many there are. */
    stored: (offset: number) => (committed = offset),
    observed: (partition: number, count: number) => ends.set(partition, count),

    /** A user with a watchlist of these items, made now. */
    async watcher(items: readonly Content[], given: { enabled?: boolean } = {}) {
      const team = await crew(people)
      const owner = { customerId: team.customerId, userId: team.user.id }
      const list = {
        id: randomUUID(),
        kind: 'watchlist' as const,
        owner,
        content: { name: 'a', enabled: given.enabled ?? true },
        caseId: null,
        createdAt: clock.now,
        updatedAt: clock.now,
      }
      await casework.records.create(list)
      const add = (content: Content) => {
        const entry = { id: randomUUID(), kind: 'item' as const, key: null, content, createdAt: clock.now }
        return casework.entries.add(list, entry, { max: 1_000 })
      }
      for (const item of items) await add(item)
      const alerts = async () => {
        const page = { limit: 500, before: null, unread: false, state: null }
        const found = await casework.alerts.list({ ...owner, groups: ['public'] }, page)
        if (found === 'no alert') throw new Error('no page was asked for')
        return found
      }
      return { team, owner, list, add, alerts }
    },

    /** A process of the job. */
    process(given: { store?: AlertStore; rows?: AlertsPorts['live'] } = {}) {
      const reports: AlertsReport[] = []
      const failures: unknown[] = []
      const log = {
        offsets: async () => [...ends].map(([partition, high]) => ({ partition, low: 0, high })),
        offsetsAt: async () => [],
        committed: async (_: string, topic: string) =>
          topic === OBSERVATIONS ? [0, 1, 2, 3].map((partition) => ({ partition, offset: committed })) : [],
        setOffsets: async () => undefined,
        send: async (batches: typeof sent) => void sent.push(...batches),
      }
      const live = async () => ({ generation: 'harrier', rules: BUILT_IN, rows: {} as never })
      const stored = untilStored({ log, pause: async () => undefined })
      const ports = { log, registry, store: given.store ?? kyselyAlertStore(db), live: given.rows ?? live, stored }
      const job = alertsJob(ports as AlertsPorts, {
        now: () => clock.now,
        pause: async () => undefined,
        report: (news) => reports.push(news),
        onFailure: (_, error) => failures.push(error),
      })
      return { job, reports, failures }
    },

    close: () => people.close(),
  }
}

/** What these observations change, in their order; they stand in partition 3. */
export const changesOf = (...all: Partial<Observation>[]): Change[] => replayedChanges(positioned(all), defaultRules())

/** A batch of these changes as they were logged at `time`; `null` stands for a message that is no change. */
export function batchOf(
  changes: readonly (Change | null)[],
  time: number,
  signal = new AbortController().signal,
): Batch {
  const values = changes.map((change) => (change === null ? Buffer.from('no change') : encode(change)))
  return batchIn(CHANGES, values, time, signal)
}

/** A batch of these matches as they were logged at `time`, the first at this offset; `null` stands for no match. */
export const matchBatch = (matches: readonly (MatchRecord | null)[], time: number, from = 0): Batch =>
  batchIn(
    MATCHES,
    matches.map((match) => (match === null ? Buffer.from('no match') : encodeMatch(match))),
    time,
    new AbortController().signal,
    from,
  )

function batchIn(topic: string, values: readonly Buffer[], time: number, signal: AbortSignal, from = 0): Batch {
  const messages = values.map(
    (value, n): LogMessage => ({ offset: from + n, timestamp: time, key: null, value, headers: {} }),
  )
  const to = from + messages.length
  return { topic, partition: 3, messages, signal, from, to, note: '', redelivered: false, highWatermark: to }
}

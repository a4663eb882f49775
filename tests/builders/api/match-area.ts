/** The API of telemetry over a log in memory, with matches to set, and limits that count. */

import type { LedgerRow, MatchQuestion, SeenQuestion, ShownMatch } from '../../../connectors/history/match/port.ts'
import { logMatchSettings } from '../../../connectors/operations/match-settings/settings.ts'
import type { Limits } from '../../../connectors/postgres/accounts/plan/port.ts'
import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { ACCEPTED_TELEMETRY } from '../../../schemas/log/topics.ts'
import type { TelemetryRecord } from '../../../schemas/match/event.ts'
import { embeddedPeople } from '../accounts/team.ts'
import { memoryLog } from '../log/memory-log.ts'
import { startApi } from './api.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Called = { status: number; body: any; text: string; headers: Headers }

export type MatchArea = Awaited<ReturnType<typeof matchArea>>

/** Limits that count and give back, as all processes together see them. */
function countedLimits(): { limits: Limits; used: Map<string, number> } {
  const used = new Map<string, number>()
  const nameOf = (counter: Parameters<Limits['take']>[0]) => `${counter.subject.id} ${counter.featureKey}`
  const limits: Limits = {
    async take(counter, limit, units) {
      const now = used.get(nameOf(counter)) ?? 0
      if (now + units > limit) return { admitted: false, used: now }
      used.set(nameOf(counter), now + units)
      return { admitted: true, used: now + units }
    },
    giveBack: (counter, units) => void used.set(nameOf(counter), (used.get(nameOf(counter)) ?? 0) - units),
    usage: async () => [],
  }
  return { limits, used }
}

export async function matchArea() {
  const people = await embeddedPeople()
  const clock = { now: 1_800_000_000_000 }
  const log = memoryLog(1)
  const matchSettings = logMatchSettings(log)
  const { limits, used } = countedLimits()
  const kept: { matches: ShownMatch[]; rows: LedgerRow[] } = { matches: [], rows: [] }
  const asked: { matches: MatchQuestion[]; seen: SeenQuestion[] } = { matches: [], seen: [] }
  const matchReads = {
    async matches(question: MatchQuestion) {
      asked.matches.push(question)
      const { after, limit } = question
      const from = after === null ? 0 : kept.matches.findIndex(({ id }) => id === after.id) + 1
      return kept.matches.slice(from, from + limit)
    },
    async seen(question: SeenQuestion) {
      asked.seen.push(question)
      const { rows } = kept
      const count = rows.reduce((sum, row) => sum + row.count, 0)
      const times = { first: rows.at(-1)?.first ?? 0, last: rows[0]?.last ?? 0 }
      const total = rows.length === 0 ? null : { rows: rows.length, count, ...times }
      return { total, rows: rows.slice(0, question.limit) }
    },
  }
  const api = await startApi({ ...people, log, matchSettings, matchReads, limits, now: () => clock.now })
  const decode = decoder<TelemetryRecord>(records.telemetry, () => records.telemetry)
  const call = async (
    headers: Record<string, string>,
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Called> => {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    const response = await fetch(`${api.url}/api/match/v1${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: sent as string | Uint8Array<ArrayBuffer> }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: response.status, body: json ? JSON.parse(text) : null, text, headers: response.headers }
  }
  return {
    people,
    clock,
    log,
    matchSettings,
    /** Units by subject and key. */
    used,
    kept,
    asked,
    call,
    /** Sends lines; the answer's lines as JSON. */
    async send(headers: Record<string, string>, lines: string | Uint8Array, type = 'application/x-ndjson') {
      const answer = await call(headers, 'POST', '/events', lines, type)
      const isLines = answer.headers.get('content-type')?.startsWith('application/x-ndjson') ?? false
      const read = isLines ? answer.text.split('\n').filter((line) => line !== '') : []
      return { ...answer, lines: read.map((line) => JSON.parse(line)) }
    },
    /** What the log was given, with its keys and times. */
    accepted: () =>
      log.all(ACCEPTED_TELEMETRY).map(({ key, value, timestamp }) => {
        const decoded = decode(value!)
        if (!decoded.ok) throw new Error(decoded.reason)
        return { key: key!.toString(), timestamp, record: { ...decoded.record } }
      }),
    async close(): Promise<void> {
      await api.close()
      await people.close()
    },
  }
}

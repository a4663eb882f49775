import type { KeptUser } from '../../sql-users/file.ts'
import type { EngineRequest } from '../http/request.ts'
import type { Operation } from '../operation.ts'
import type { Answer, EngineSessions } from '../sessions.ts'
import { type Slots, slots } from '../slots.ts'
import { notKnown } from '../statement/refused.ts'
import { describedColumns } from './about.ts'
import { type SqlAccounts, sqlAccounts } from './accounts.ts'
import { analystSettings } from './analyst-settings.ts'
import { type ClientSession, clientSessions } from './client-session.ts'
import { checkRead, confine } from './confine.ts'
import { explainHead, planStatement } from './explain.ts'
import { checkFormat, withoutProgress } from './formats.ts'
import { scopes } from './scope.ts'

export type AnalystOptions = {
  /** Where the users are kept. */
  users: string
  /** The database with the views for analysts. */
  home: string
}

export type AnalystRequest = EngineRequest & { session: ClientSession | undefined }

export type Analysts = SqlAccounts & {
  /** Runs the statement of a user within its confines. */
  ask(
    user: KeptUser,
    request: AnalystRequest,
    sql: string,
    signal: AbortSignal,
  ): Promise<{ answer: Answer; format: string }>
}

/** Limits per user: running statements, and waiting ones. */
const AT_ONCE = 2
const WAITING = 8
const NAMES_OF_HOME = new Set(['', 'home', 'default'])
const textOf = ({ bytes }: Answer): string => Buffer.from(bytes).toString()
const NOTHING: Answer = { bytes: new Uint8Array(), rowsRead: 0, elapsedNs: 0 }

/** SQL users of the embedded engine, which has no users of its own. */
export const analysts = (sessions: EngineSessions, { users, home }: AnalystOptions): Analysts => {
  const now = () => performance.now()
  const scopeOf = scopes(sessions, home, now)
  const kept = clientSessions(now)
  const turns = new Map<string, Slots>()
  const turnsOf = (name: string): Slots => {
    const known = turns.get(name) ?? slots(AT_ONCE, WAITING)
    turns.set(name, known)
    return known
  }
  return {
    ...sqlAccounts(users),
    ask: (user, request, sql, signal) =>
      turnsOf(user.name).use(async () => {
        if (!NAMES_OF_HOME.has(request.database) && request.database !== home)
          throw notKnown(`unknown database '${request.database.slice(0, 60)}'; the views are in '${home}'`)
        const { filters, settings: known, ready, ...names } = await scopeOf(user.groups)
        const confined = confine(sql, { user: user.name, home, ...names })
        checkFormat(request.format)
        const format = confined.format ?? request.format
        const sets = Object.fromEntries(confined.sets ?? [])
        const requested = { ...kept.settings(user.name, request.session), ...request.settings, ...sets }
        const settings = analystSettings(user, requested, filters, known)
        if (confined.sets !== undefined) {
          kept.set(user.name, request.session, sets)
          return { answer: NOTHING, format }
        }
        const { explains } = confined
        const database = await ready(confined.catalogue, explains !== undefined)
        const common = { database, settings, params: request.params, lane: 'analyst', confined: true } as const
        const run = (sql: string, how: string, more: Pick<Operation, 'check' | 'explain'>) =>
          sessions.run({ ...common, sql, format: how, ...more }, signal)
        /** Statements of our own hold fixed words, and texts. */
        const own = async (sql: string) => ({ answer: await run(sql, format, {}), format })
        if (confined.own === true) return own(confined.sql)
        const check = (read: string): void => checkRead(read, names)
        if (explains !== undefined) {
          const plan = await run(confined.sql, 'JSONCompactEachRow', { check, explain: explainHead(explains) })
          return own(planStatement(textOf(plan), { hollow: database, home }))
        }
        if (confined.describes === true) {
          // The head of an answer without rows: what may be selected may be described.
          const head = await run(`SELECT * FROM (${confined.sql}) LIMIT 0`, 'JSONCompact', { check })
          return own(describedColumns((JSON.parse(textOf(head)) as { meta: { name: string; type: string }[] }).meta))
        }
        const answer = await run(confined.sql, format, { check })
        return { answer: { ...answer, bytes: withoutProgress(answer.bytes, format) }, format }
      }),
  }
}

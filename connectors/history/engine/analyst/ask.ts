import type { KeptUser } from '../../sql-users/file.ts'
import type { EngineRequest } from '../http/request.ts'
import type { Answer, EngineSessions } from '../sessions.ts'
import { type Slots, slots } from '../slots.ts'
import { notKnown } from '../statement/refused.ts'
import { type SqlAccounts, sqlAccounts } from './accounts.ts'
import { checkFormat, checkRead, confine } from './confine.ts'
import { scopes } from './scope.ts'
import { analystSettings } from './settings.ts'

export type AnalystOptions = {
  /** Where the users are kept. */
  users: string
  /** The database with the views for analysts. */
  home: string
}

export type Analysts = SqlAccounts & {
  /** Runs the statement of a user within its confines. */
  ask(
    user: KeptUser,
    request: EngineRequest,
    sql: string,
    signal: AbortSignal,
  ): Promise<{ answer: Answer; format: string }>
}

/** Limits per user: running statements, and waiting ones. */
const AT_ONCE = 2
const WAITING = 8
const NAMES_OF_HOME = new Set(['', 'home', 'default'])

/** SQL users of the embedded engine, which has no users of its own. */
export const analysts = (sessions: EngineSessions, { users, home }: AnalystOptions): Analysts => {
  const scopeOf = scopes(sessions, home, () => performance.now())
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
        const { confined: database, filters, ...names } = await scopeOf(user.groups)
        const confined = confine(sql, { user: user.name, home, ...names })
        checkFormat(request.format)
        const settings = analystSettings(user, request.settings, filters)
        const { format, params } = request
        const answer = await sessions.run(
          {
            sql: confined.sql,
            format: confined.format ?? format,
            database,
            settings,
            params,
            lane: 'analyst',
            confined: true,
            check: (read) => checkRead(read, names),
          },
          signal,
        )
        return { answer, format: confined.format ?? format }
      }),
  }
}

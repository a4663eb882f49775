import { LRUCache } from 'lru-cache'
import { badRequest, denied, Refused } from '../statement/refused.ts'

/**
 * What a client of a SQL user sends beside its statement and that is no setting of the engine. A session of the
 * protocol keeps what SET has set in it; everything else is applied, or refused by its name (ADR 257).
 */

/** Sessions of all users; the one that was not used for the longest time goes first. */
const MAX_SESSIONS = 1000
/** As on a server. Seconds. */
const MAX_TIMEOUT = 3600
const USUAL_TIMEOUT = 60

export type ClientSession = { id: string; seconds: number; mustExist: boolean }

const one = (params: URLSearchParams, name: string): string => params.get(name) ?? ''
const isOff = (value: string): boolean => value === '' || value === '0' || value === 'false'

/**
 * The session that the URL names, if it names one.
 * @throws Refused for what is not supported, naming the parameter
 */
export const clientSession = (params: URLSearchParams): ClientSession | undefined => {
  if (params.has('role'))
    throw new Refused(511, 'UNKNOWN_ROLE', 404, `there is no role '${one(params, 'role').slice(0, 60)}'`)
  if (!isOff(one(params, 'decompress')))
    throw badRequest('decompress=1 is not supported; send the statement as gzip or plain')
  if (!isOff(one(params, 'add_http_cors_header'))) throw denied('add_http_cors_header is not supported')
  const id = one(params, 'session_id').slice(0, 200)
  if (id === '') return undefined
  const asked = one(params, 'session_timeout')
  const seconds = asked === '' ? USUAL_TIMEOUT : Number(asked)
  if (!(seconds > 0 && seconds <= MAX_TIMEOUT))
    throw new Refused(
      374,
      'INVALID_SESSION_TIMEOUT',
      400,
      `session_timeout is a number of seconds from 1 to ${MAX_TIMEOUT}`,
    )
  return { id, seconds, mustExist: !isOff(one(params, 'session_check')) }
}

export type ClientSessions = {
  /** What was set in the session. @throws Refused SESSION_NOT_FOUND for one that must be there and is not */
  settings(user: string, session: ClientSession | undefined): Readonly<Record<string, string>>
  /** Sets more in the session; without one a SET ends with its request, as on a server. */
  set(user: string, session: ClientSession | undefined, settings: Readonly<Record<string, string>>): void
}

/** @param now in milliseconds */
export const clientSessions = (now: () => number): ClientSessions => {
  const kept = new LRUCache<string, Readonly<Record<string, string>>>({
    max: MAX_SESSIONS,
    perf: { now },
    ttlResolution: 0,
  })
  const key = (user: string, session: ClientSession): string => JSON.stringify([user, session.id])
  const store = (user: string, session: ClientSession, settings: Readonly<Record<string, string>>): void => {
    kept.set(key(user, session), settings, { ttl: session.seconds * 1000 })
  }
  return {
    settings(user, session) {
      if (session === undefined) return {}
      const found = kept.get(key(user, session))
      if (found === undefined && session.mustExist)
        throw new Refused(372, 'SESSION_NOT_FOUND', 404, `there is no session '${session.id.slice(0, 60)}'`)
      store(user, session, found ?? {})
      return found ?? {}
    },
    set(user, session, settings) {
      if (session !== undefined) store(user, session, { ...kept.get(key(user, session)), ...settings })
    },
  }
}

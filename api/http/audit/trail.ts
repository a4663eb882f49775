/** What of a route goes to the audit log, around its handler (decisions 16.2, ADR 278). */

import { type AuditedRequest, duringRequest } from '../../../connectors/postgres/core/port.ts'
import type { AuditWriter } from '../../../connectors/postgres/operation/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { type Action, REFUSED } from '../../../schemas/audit/action.ts'
import type { AuditEntry, Outcome } from '../../../schemas/audit/record.ts'
import { type SubjectGiven, subjectOf } from '../../../schemas/audit/subject.ts'
import { siteOf } from '../addresses/address-block.ts'
import { asApiError } from '../errors.ts'
import type { Answer, Request, Route } from '../route.ts'
import { attemptedKey } from './attempts.ts'

const VERBS: Readonly<Record<string, string>> = {
  insert: 'insert\\s+into',
  update: 'update',
  delete: 'delete\\s+from',
}
const ANY = Object.values(VERBS).join('|')

/**
 * Whether a statement writes one of these tables. A name may stand behind `insert`, `update` or `delete`: only that counts
 * then, as what expired is removed by requests too.
 */
export function decidesAmong(tables: readonly string[]): (sql: string) => boolean {
  const forms = tables.map((entry) => {
    const [table, verb] = entry.split(' ').reverse() as [string, string?]
    return `(?:${verb === undefined ? ANY : VERBS[verb]})\\s+"?${table}"?`
  })
  const form = new RegExp(`\\b(?:${forms.join('|')})(?![\\w])`, 'i')
  return (sql) => form.test(sql)
}

export type TrailPorts = {
  audit: AuditWriter
  /** Unix milliseconds. */
  now: () => number
  newId: () => string
}

/** Whom a refusal is of, as far as it is known, and whether the request came with any credentials. */
type Refused = {
  user: Identity | null
  ip: string
  params: Readonly<Record<string, string>>
  hasCredentials: boolean
}

export type Trail = {
  handle(request: Request): Promise<Answer> | Answer
  /** Records what a request is refused with; other errors are none of it. */
  refuse(thrown: unknown, refused: Refused): void
}

/** Key pairs and tokens of devices; a session is its user. */
const keyOf = (user: Identity | null): string | null =>
  user === null || user.by === null || user.by.kind === 'session' ? null : user.by.id

/** The trail of a route; a route without an action leaves only its refusals. */
export function trailOf(route: Route, ports: TrailPorts): Trail {
  const listed = route.audit?.kind === 'none' ? null : route.audit
  return {
    handle: listed === null ? route.handler : handling(route, listed, ports),
    refuse: refusing(listed, ports, route.credentials !== null && route.access === 'anyone'),
  }
}

function entryOf({ now, newId }: TrailPorts, given: Omit<AuditEntry, 'id' | 'at' | 'count'>): AuditEntry {
  return { id: newId(), at: now(), ...given, count: 1 }
}

/** Records a call that an assistant makes within a request: that there was one, and whether it was refused. */
export const assistantCalls =
  (ports: TrailPorts) =>
  ({ user, ip }: Pick<Request, 'user' | 'ip'>, outcome: Extract<Outcome, 'success' | 'refused'>): void => {
    const who = { userID: user?.userId ?? null, keyID: keyOf(user), ip }
    const entry = entryOf(ports, { ...who, action: 'assistant.call', subject: '', outcome })
    if (outcome === 'success') ports.audit.note(entry)
    else ports.audit.refuse(entry, who.keyID ?? who.userID ?? siteOf(ip))
  }

function handling(
  route: Route,
  { kind, action, subject: from, ...listed }: Action,
  ports: TrailPorts,
): Trail['handle'] {
  const entry = (outcome: Outcome, { user, ip }: Request, given: SubjectGiven, found: AuditedRequest['found']) =>
    entryOf(ports, {
      userID: found.userID ?? user?.userId ?? null,
      keyID: keyOf(user),
      action: found.action ?? action,
      subject: found.subject ?? subjectOf(from, given),
      outcome,
      ip,
      ...(found.details === undefined || found.details.length === 0 ? {} : { details: found.details }),
    })
  const givenOf = ({ user, params, body }: Request, made: string | null): SubjectGiven => ({
    user,
    params: params as SubjectGiven['params'],
    body,
    made,
  })

  if (kind === 'read')
    return async (request) => {
      const answer = await route.handler(request)
      if (answer.status < 300) ports.audit.read(entry('success', request, givenOf(request, null), {}))
      return answer
    }
  const decides = 'tables' in listed ? decidesAmong(listed.tables as readonly string[]) : () => false
  const outcome = kind === 'ahead' ? 'begun' : 'success'
  return (request) => {
    const audited: AuditedRequest = {
      kind,
      late: from === null,
      decides,
      made: null,
      found: {},
      stored: null,
      isRefused: false,
      entry: () => entry(outcome, request, givenOf(request, audited.made), audited.found),
    }
    return duringRequest(audited, async () => {
      const answer = await route.handler(request)
      if (audited.isRefused) {
        const refused = entry('refused', request, givenOf(request, null), audited.found)
        ports.audit.refuse(refused, refused.userID ?? siteOf(request.ip))
      }
      return answer
    })
  }
}

/** @param challenges whether devices ask first, and send their credentials once they are asked for them */
function refusing(listed: Action | null, ports: TrailPorts, challenges: boolean): Trail['refuse'] {
  return (thrown, { user, ip, params, hasCredentials }) => {
    const { status } = asApiError(thrown)
    // Nobody tried anything: the next request says who it is (ADR 256).
    if (status === 401 && challenges && !hasCredentials) return
    if (status !== 401 && status !== 403 && listed?.refusals?.includes(status) !== true) return
    const triedKey = attemptedKey(thrown)
    const from = listed?.subject ?? null
    const isNamed = typeof from === 'object' && from !== null && 'param' in from
    const entry = entryOf(ports, {
      userID: user?.userId ?? null,
      keyID: keyOf(user),
      action: listed?.action ?? REFUSED[status === 403 ? 403 : 401],
      // Nobody has shown that the key is its own: it is what was tried, not who did.
      subject: triedKey ?? (isNamed ? subjectOf(from, { user, params, body: null, made: null }) : ''),
      outcome: 'refused',
      ip,
    })
    ports.audit.refuse(entry, triedKey ?? entry.keyID ?? entry.userID ?? siteOf(ip))
  }
}

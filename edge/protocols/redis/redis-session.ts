import type { Answers } from '../../answers/port.ts'
import { isWord, shown } from '../bytes/read.ts'
import { type Conversation, round } from '../bytes/round.ts'
import type { Session } from '../session.ts'
import { ADMINISTRATION } from './administration.ts'
import { type Command, type Connection, wrongCount } from './connection.ts'
import { commandOver } from './description.ts'
import { GREETING, NO_AUTH } from './greeting.ts'
import { get, LOOKUPS } from './lookups.ts'
import { createRequests, type Next, type Request } from './requests.ts'
import { error } from './resp.ts'
import { secretCheck } from './secret.ts'
import { PARTLY_WRITES, WRITES } from './write-commands.ts'

export type RedisOptions = {
  /** What AUTH must show; null: nothing. */
  secret: string | null
  /** Of Harrier. */
  version: string
}

const READ_ONLY = 'READONLY the list is read only'
/** Longer than the name of any command. */
const MAX_NAME_BYTES = 32

const TABLE = new Map<string, Command>(Object.entries({ ...ADMINISTRATION, ...GREETING, ...LOOKUPS }))
TABLE.set('command', commandOver(TABLE))

const isGet = ({ bytes, starts, ends }: Request): boolean => isWord(bytes, starts[0]!, ends[0]!, 'get')

/** Whether the command of a request would change something. */
function isWrite(name: string, { bytes, starts, ends, count }: Request): boolean {
  if (WRITES.has(name)) return true
  return count > 1 && (PARTLY_WRITES.get(name)?.some((word) => isWord(bytes, starts[1]!, ends[1]!, word)) ?? false)
}

/** What a request that is no GET is answered. */
function runNamed(connection: Connection, request: Request): void {
  const { bytes, starts, ends, count } = request
  const [start, end] = [starts[0]!, ends[0]!]
  const name = end - start > MAX_NAME_BYTES ? '' : bytes.toString('latin1', start, end).toLowerCase()
  const command = TABLE.get(name)
  if (!connection.isKnown && !(command?.flags.includes('no_auth') || name === 'quit')) error(NO_AUTH)
  else if (command === undefined)
    error(isWrite(name, request) ? READ_ONLY : `ERR unknown command '${shown(bytes, start, end)}'`)
  else if (command.arity >= 0 ? count !== command.arity : count < -command.arity) wrongCount(name)
  else command.run(connection, request)
}

/** One connection of redis, RESP2 and RESP3 (decisions 19.3). A key of MGET and of EXISTS counts as a request of a round. */
export function redisSession(answers: Answers, { secret, version }: RedisOptions): Session {
  const requests = createRequests()
  const { request } = requests
  /** What was read and not answered yet. */
  let next: Next = 'wait'

  const refuse = (why: Next): void => {
    connection.ends = true
    if (typeof why === 'object') error(why.refusal)
  }

  const connection: Connection & Conversation = {
    answers,
    version,
    isSecret: secret === null ? null : secretCheck(secret),
    isKnown: secret === null,
    resp: 2,
    name: '',
    ends: false,
    rest: null,
    isWaiting() {
      if (next === 'wait') next = requests.next(connection.isKnown)
      return next !== 'wait'
    },
    run() {
      const what = next
      next = 'wait'
      if (what !== 'request') refuse(what)
      else if (request.count === 2 && connection.isKnown && isGet(request)) get(connection, request)
      else if (request.count > 0) runNamed(connection, request)
    },
    settle: requests.settle,
    clear: requests.clear,
  }

  return {
    push(bytes) {
      if (!connection.ends) requests.push(bytes)
    },
    answer: (most) => round(connection, most),
  }
}

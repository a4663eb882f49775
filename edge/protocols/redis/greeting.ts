import { isWord, numberOf } from '../bytes/read.ts'
import { type Command, type Connection, REDIS_VERSION } from './connection.ts'
import type { Request } from './requests.ts'
import { array, bulk, error, integer, map, nil, status, type Version } from './resp.ts'

/** How a connection begins: the protocol, the secret, a name. */

/** Clients look for its first word. */
export const NO_AUTH = 'NOAUTH Authentication required.'
const WRONG = 'WRONGPASS invalid username-password pair'
/** Clients look for these words, and go on without a secret. */
const NO_SECRET = 'ERR AUTH called without any password configured for the default user'
const BAD_NAME = 'ERR Client names cannot contain spaces, newlines or special characters.'
/** Connections have no numbers that anything could be asked by. */
const CONNECTION = 1
const MAX_NAME_BYTES = 256

/** Checks argument `user` and the secret after it; false: wrong. Where none is asked for, each is right for `default`. */
function isAllowed({ isSecret }: Connection, { bytes, starts, ends }: Request, user: number): boolean {
  const isDefault = bytes.toString('latin1', starts[user]!, ends[user]!) === 'default'
  const isRight = isSecret === null || isSecret(bytes.subarray(starts[user + 1]!, ends[user + 1]!))
  return isDefault && isRight
}

/** AUTH <secret> and AUTH default <secret>. */
function auth(connection: Connection, request: Request): void {
  const { bytes, starts, ends, count } = request
  if (count > 3) return void error('ERR syntax error')
  if (count === 2 && connection.isSecret === null) return void error(NO_SECRET)
  const isRight =
    count === 2 ? connection.isSecret!(bytes.subarray(starts[1]!, ends[1]!)) : isAllowed(connection, request, 1)
  if (!isRight) return void error(WRONG)
  connection.isKnown = true
  status('OK')
}

/** The name in argument `i`; null: it cannot be one. */
function nameOf({ bytes, starts, ends }: Request, i: number): string | null {
  const name = bytes.toString('latin1', starts[i]!, ends[i]!)
  return name.length <= MAX_NAME_BYTES && /^[!-~]*$/.test(name) ? name : null
}

/** CLIENT SETNAME. */
function setName(connection: Connection, request: Request): void {
  const name = nameOf(request, 2)
  if (name === null) return void error(BAD_NAME)
  connection.name = name
  status('OK')
}

/** HELLO [<protocol> [AUTH <user> <secret>] [SETNAME <name>]]: nothing changes unless all of it is right. */
function hello(connection: Connection, request: Request): void {
  const { bytes, starts, ends, count } = request
  let { resp, isKnown, name } = connection
  if (count > 1) {
    const wanted = numberOf(bytes, starts[1]!, ends[1]!)
    if (wanted < 0) return void error('ERR Protocol version is not an integer or out of range')
    if (wanted !== 2 && wanted !== 3) return void error('NOPROTO unsupported protocol version')
    resp = wanted
  }
  for (let i = 2; i < count; ) {
    const [start, end] = [starts[i]!, ends[i]!]
    if (isWord(bytes, start, end, 'auth') && i + 2 < count) {
      if (!isAllowed(connection, request, i + 1)) return void error(WRONG)
      isKnown = true
      i += 3
    } else if (isWord(bytes, start, end, 'setname') && i + 1 < count) {
      const given = nameOf(request, i + 1)
      if (given === null) return void error(BAD_NAME)
      name = given
      i += 2
    } else return void error('ERR Syntax error in HELLO option')
  }
  if (!isKnown) return void error('NOAUTH HELLO must be called with AUTH <user> <password> here')
  Object.assign(connection, { resp, isKnown, name })
  greet(resp)
}

function greet(resp: Version): void {
  map(resp, 7)
  bulk('server')
  bulk('redis')
  bulk('version')
  bulk(REDIS_VERSION)
  bulk('proto')
  integer(resp)
  bulk('id')
  integer(CONNECTION)
  bulk('mode')
  bulk('standalone')
  bulk('role')
  bulk('master')
  bulk('modules')
  array(0)
}

/** CLIENT: what libraries say of themselves is taken, and not kept. */
function client(connection: Connection, request: Request): void {
  const { bytes, starts, ends, count } = request
  const is = (word: string, words: number): boolean => count === words && isWord(bytes, starts[1]!, ends[1]!, word)
  if (is('setinfo', 4)) return void status('OK')
  if (is('setname', 3)) return void setName(connection, request)
  if (is('id', 2)) return void integer(CONNECTION)
  if (is('getname', 2)) return void (connection.name === '' ? nil(connection.resp) : bulk(connection.name))
  error('ERR unknown subcommand or wrong number of arguments for CLIENT')
}

const beginning = (arity: number, summary: string, run: Command['run'], isOpen = false): Command => ({
  arity,
  flags: [...(isOpen ? ['no_auth'] : []), 'loading', 'stale', 'fast'],
  keys: 'none',
  group: 'connection',
  summary,
  run,
})

export const GREETING: Record<string, Command> = {
  auth: beginning(-2, 'Shows the secret.', auth, true),
  hello: beginning(-1, 'Chooses the protocol, and shows the secret.', hello, true),
  client: beginning(-2, 'Names the connection.', client),
}

import type { Answers } from '../../answers/port.ts'
import type { Rest } from '../bytes/round.ts'
import type { Request } from './requests.ts'
import { error, type Version } from './resp.ts'

/** The redis that the answers are like: clients choose by it what they ask, and some refuse a version that begins with 0. */
export const REDIS_VERSION = '7.2.0'

/** What the commands of one connection know and change. */
export type Connection = {
  readonly answers: Answers
  /** Of Harrier, as INFO says it. */
  readonly version: string
  /** Whether this is the secret; null: none is asked for. */
  readonly isSecret: ((bytes: Uint8Array) => boolean) | null
  /** After AUTH, or where no secret is asked for. */
  isKnown: boolean
  resp: Version
  name: string
  /** To be closed once what was written is sent. */
  ends: boolean
  /** MGET or EXISTS, while it goes on. */
  rest: Rest | null
}

/** A command, as COMMAND describes it too. */
export type Command = {
  /** Words with the name of the command; below 0: at least as many. */
  arity: number
  flags: readonly string[]
  /** Whether its first argument is a key, or all are. */
  keys: 'none' | 'first' | 'all'
  group: string
  summary: string
  run(connection: Connection, request: Request): void
}

export const wrongCount = (name: string): void => error(`ERR wrong number of arguments for '${name}' command`)

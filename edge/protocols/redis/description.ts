import { output } from '../bytes/output.ts'
import { isWord, shown } from '../bytes/read.ts'
import type { Command, Connection } from './connection.ts'
import type { Request } from './requests.ts'
import { array, bulk, error, integer, map, status, type Version } from './resp.ts'

/** COMMAND: what clients ask to learn what commands there are. */

/** More than a client asks for, and few enough that a short question has no endless answer. */
const MAX_NAMES = 64
/** First key, last key and the step between them, as COMMAND INFO counts. */
const KEYS = { none: [0, 0, 0], first: [1, 1, 1], all: [1, -1, 1] } as const

function described(name: string, { arity, flags, keys }: Command): void {
  array(10)
  bulk(name)
  integer(arity)
  array(flags.length)
  for (const flag of flags) status(flag)
  for (const place of KEYS[keys]) integer(place)
  // Categories, hints, places of keys, subcommands: none that anybody asks for.
  for (let i = 0; i < 4; i++) array(0)
}

function documented(resp: Version, name: string, { group, summary }: Command): void {
  bulk(name)
  map(resp, 3)
  bulk('summary')
  bulk(summary)
  bulk('since')
  bulk('1.0.0')
  bulk('group')
  bulk(group)
}

/** COMMAND over this table: INFO, DOCS, COUNT, LIST, or all descriptions. */
export function commandOver(table: ReadonlyMap<string, Command>): Command {
  const run = ({ resp }: Connection, { bytes, starts, ends, count }: Request): void => {
    const is = (word: string): boolean => count > 1 && isWord(bytes, starts[1]!, ends[1]!, word)
    if (count > 2 + MAX_NAMES) return void error('ERR too many names for COMMAND')
    const names = Array.from({ length: Math.max(0, count - 2) }, (_, i) =>
      shown(bytes, starts[i + 2]!, ends[i + 2]!).toLowerCase(),
    )
    const asked = names.length === 0 ? [...table.keys()] : names
    if (count === 1 || is('info')) {
      array(asked.length)
      for (const name of asked) {
        const command = table.get(name)
        if (command !== undefined) described(name, command)
        else output.text(resp === 3 ? '_\r\n' : '*-1\r\n')
      }
    } else if (is('docs')) {
      const known = asked.filter((name) => table.has(name))
      map(resp, known.length)
      for (const name of known) documented(resp, name, table.get(name)!)
    } else if (is('count') && count === 2) integer(table.size)
    else if (is('list') && count === 2) {
      array(asked.length)
      for (const name of asked) bulk(name)
    } else error('ERR unknown subcommand or wrong number of arguments for COMMAND')
  }
  return {
    arity: -1,
    flags: ['loading', 'stale'],
    keys: 'none',
    group: 'server',
    summary: 'What commands there are.',
    run,
  }
}

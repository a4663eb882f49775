import { output } from '../bytes/output.ts'
import { numberOf, shown } from '../bytes/read.ts'
import { type Command, type Connection, REDIS_VERSION, wrongCount } from './connection.ts'
import type { Request } from './requests.ts'
import { error, integer, status, verbatim } from './resp.ts'

/** Commands that say nothing of a value: they answer whether the list is stale or not (decisions 19.4). */

/** An argument as it came. */
function echoed({ bytes, starts, ends }: Request, i: number): void {
  const [start, end] = [starts[i]!, ends[i]!]
  output.text(`$${end - start}\r\n`)
  output.copy(bytes, start, end)
  output.text('\r\n')
}

function ping(_: Connection, request: Request): void {
  if (request.count > 2) wrongCount('ping')
  else if (request.count === 2) echoed(request, 1)
  else status('PONG')
}

/** SELECT: there is one list. */
function select(_: Connection, { bytes, starts, ends }: Request): void {
  const index = numberOf(bytes, starts[1]!, ends[1]!)
  if (index === 0) status('OK')
  else if (index > 0) error('ERR DB index is out of range')
  else error('ERR value is not an integer or out of range')
}

function quit(connection: Connection): void {
  status('OK')
  connection.ends = true
}

/** Sections of INFO, each a list of lines. */
function sections({ answers, version }: Connection): Record<string, string[]> {
  const [size, age] = [answers.size(), answers.ageSeconds()]
  return {
    Server: [`redis_version:${REDIS_VERSION}`, 'redis_mode:standalone', `harrier_version:${version}`],
    Persistence: ['loading:0'],
    Replication: ['role:master', 'connected_slaves:0'],
    Keyspace: [`db0:keys=${size},expires=0,avg_ttl=0`],
    Harrier: [
      `feed_sequence:${answers.sequence()}`,
      // None before the platform first answered.
      ...(age === null ? [] : [`feed_age:${Math.floor(age)}`]),
      `stale:${answers.isStale() ? 1 : 0}`,
    ],
  }
}

/** INFO [<section> ...]. */
function info(connection: Connection, { bytes, starts, ends, count }: Request): void {
  const wanted = new Set<string>()
  for (let i = 1; i < count; i++) wanted.add(shown(bytes, starts[i]!, ends[i]!).toLowerCase())
  const isAll = wanted.size === 0 || ['all', 'default', 'everything'].some((name) => wanted.has(name))
  const text = Object.entries(sections(connection))
    .filter(([name]) => isAll || wanted.has(name.toLowerCase()))
    .map(([name, lines]) => [`# ${name}`, ...lines, ''].join('\r\n'))
  verbatim(connection.resp, text.join('\r\n'))
}

const administrative = (arity: number, group: string, summary: string, run: Command['run']): Command => ({
  arity,
  flags: ['loading', 'stale', 'fast'],
  keys: 'none',
  group,
  summary,
  run,
})

export const ADMINISTRATION: Record<string, Command> = {
  ping: administrative(-1, 'connection', 'Whether the server answers.', ping),
  echo: administrative(2, 'connection', 'The text that was sent.', (_, request) => echoed(request, 1)),
  select: administrative(2, 'connection', 'There is one database, 0.', select),
  quit: administrative(-1, 'connection', 'Ends the connection.', quit),
  info: administrative(-1, 'server', 'Facts about the server and its list.', info),
  dbsize: administrative(1, 'server', 'How many items the list has.', ({ answers }) => integer(answers.size())),
}

import { isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { isLoopback } from '../../../edge/listeners/allowed.ts'
import type { Place } from '../../../edge/listeners/listener.ts'
import { formatNamed } from '../../../schemas/feeds-out/formats/format-table.ts'

/** Where an edge answers: a protocol at an address, or a file in a format. */
export type Listen =
  | { protocol: 'http' | 'redis' | 'memcached'; place: Place; text: string }
  | { protocol: 'dns'; place: Place; zone: string; text: string }
  | { protocol: 'file'; format: string; path: string; text: string }

const FORMS = 'http://host:port, redis://host:port, memcached://host:port, dns://host:port/zone or file:format:path'
const ADDRESS = /^(http|redis|memcached|dns):\/\/(\[[0-9a-fA-F:.]+\]|[^/:[\]]+):(\d{1,5})(?:\/([^/?#]*))?$/
const FILE = /^file:([a-z0-9-]+):(.+)$/s

/**
 * Reads one `--listen` (decisions 19.2). It is added to those before.
 * @throws InvalidArgumentError that says what is wrong
 */
export function listenOption(text: string, before: readonly Listen[] = []): Listen[] {
  return [...before, readListen(text)]
}

function readListen(text: string): Listen {
  const [, format, path] = FILE.exec(text) ?? []
  if (format !== undefined) {
    if (formatNamed(format) === null)
      throw new InvalidArgumentError(`There is no format ${format}; GET /api/feeds/v1/formats lists them.`)
    return { protocol: 'file', format, path: path!, text }
  }
  const [, protocol, host, port, rest] = ADDRESS.exec(text) ?? []
  if (protocol === undefined) throw new InvalidArgumentError(`Expected ${FORMS}.`)
  if (Number(port) > 65_535) throw new InvalidArgumentError(`${port} is no port.`)
  const place = { host: host!.replace(/^\[|\]$/g, ''), port: Number(port) }
  if (host!.startsWith('[') && isIP(place.host) !== 6) throw new InvalidArgumentError(`${host} is no address.`)
  if (protocol === 'dns') {
    if (rest === undefined || rest === '')
      throw new InvalidArgumentError('Expected a zone, as in dns://127.0.0.1:5353/bl.example.')
    return { protocol, place, zone: rest, text }
  }
  if (rest !== undefined && rest !== '') throw new InvalidArgumentError(`Expected no path: ${text}.`)
  return { protocol: protocol as 'http', place, text }
}

/**
 * Whether something listens where others than this machine reach it and nothing says who may ask (decisions 19.2).
 * @returns what is missing, in words; null: nothing
 */
export function unguarded(listens: readonly Listen[], given: { allow: boolean; secret: boolean }): string | null {
  for (const listen of listens) {
    if (listen.protocol === 'file' || given.allow) continue
    const { host } = listen.place
    if (host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))) continue
    const asks = listen.protocol === 'http' || listen.protocol === 'redis'
    if (asks && given.secret) continue
    return `${listen.text} can be reached by others: name who may ask with --allow <network,...>${asks ? ' or --auth-file' : ''}`
  }
  return null
}

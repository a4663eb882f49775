/** Words with slashes: networks, URLs without a scheme, lists, paths of files, products and their versions. */

import { DOT } from '../ingest/refang.ts'
import type { Sink } from './indicator.ts'
import { takeUrl } from './urls.ts'
import { type Around, isHost, takeColons, takeHost, takeNetwork } from './words.ts'

const LENGTH = /^(\d{1,3})[.:-]?$/
const PORT_OR_PROTOCOL = /^(?:\d*|tcp|udp)[.:-]?$/i
const HOST_AND_PORT = /^(.+?)(?::\d{1,5})?$/
/** What bash opens a connection by. */
const DEVICE = /^\/dev\/(?:tcp|udp)\/([^/]+)/
/** Longest list of hosts between slashes. */
const MAX_LIST = 32

/**
 * Reports what a word with slashes names. `whole`: the word with what follows it, if it begins a URL.
 * @returns how much of it was read
 */
export function takePath(word: string, whole: () => string, sink: Sink, around: Around): number {
  const parts = word.split('/', MAX_LIST + 1)
  const [head = '', next = ''] = parts
  if (head === '') {
    // As Java writes an address: `/203.0.113.7:443`. Other words that begin with a slash are paths.
    const host = DEVICE.exec(word)?.[1] ?? (parts.length === 2 ? next : '')
    if (/^\d/.test(host)) takeColons(host, sink, around)
    return word.length
  }
  const length = parts.length === 2 ? LENGTH.exec(next)?.[1] : undefined
  if (length !== undefined && takeNetwork(head.replaceAll(DOT, '.'), length, sink)) return word.length
  const host = HOST_AND_PORT.exec(head)?.[1] ?? head
  if (around.isVersion || !isHost(host, around)) {
    takeColons(head, sink, around)
    return word.length
  }
  if (parts.length <= MAX_LIST && parts.slice(1).every((part) => isHost(HOST_AND_PORT.exec(part)?.[1] ?? '', around))) {
    for (const part of parts) takeHost(HOST_AND_PORT.exec(part)?.[1] ?? '', sink, around)
    return word.length
  }
  if (parts.length === 2 && PORT_OR_PROTOCOL.test(next) && next !== '') {
    takeHost(host, sink, around)
    return word.length
  }
  const text = whole()
  if (!takeUrl(`http://${text}`, sink)) takeHost(host, sink, around)
  return text.length
}

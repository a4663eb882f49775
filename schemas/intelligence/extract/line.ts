/** One line of a text, from its beginning to its end. */

import { DOT, withoutMarks } from '../ingest/refang.ts'
import { takeCves, takeDigests } from './digests.ts'
import type { Sink } from './indicator.ts'
import { authorityEnd, beginsUrl, schemeOf, takeUrl, urlEnd } from './urls.ts'
import { type Around, isHost, takeColons, takeHost, takeMail, takeNetwork } from './words.ts'

/** Words with slashes: networks, URLs without a scheme, lists, paths of files, products and their versions. */
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
function takePath(word: string, whole: () => string, sink: Sink, around: Around): number {
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

/** A line of JSON: its first sign opens a value, or it is a member of one that was printed on many lines. */
const JSON_START = /^[ \t]{0,64}(?:[[{]|"[^"\\]{1,128}"[ \t]?:)/
const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})/gi

/** Characters that are not seen, and hyphens that only look different: text out of PDF and web pages. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const HYPHENS = /[\u2010\u2011]/g

function unescaped(written: string): string {
  const sign = written[1]!
  if (sign === 'u') return String.fromCharCode(Number.parseInt(written.slice(2), 16))
  return '"\\/'.includes(sign) ? sign : ' '
}

/**
 * The line that was meant by one that is defanged, or escaped as JSON. Marks are read as `refang` does, anywhere in it;
 * `DOT` is kept for each dot that was defanged.
 */
function plainLine(line: string): string {
  let text = line.replaceAll(DOT, ' ')
  if (text.includes('\\') && JSON_START.test(text)) text = text.replace(JSON_ESCAPE, unescaped).replaceAll(DOT, ' ')
  text = text.replace(UNSEEN, '').replace(HYPHENS, '-')
  return withoutMarks(text)
}

/** Reports what a line names: URLs first, then what stands between them. In time by its length. */
export function takeLine(raw: string, sink: Sink): void {
  const line = plainLine(raw)
  takeCves(line, sink.emit)
  takeDigests(line, sink.emit)
  let from = 0
  for (let mark = line.indexOf('://'); mark >= 0; mark = line.indexOf('://', Math.max(from, mark + 3))) {
    const start = schemeStart(line, mark)
    const scheme = schemeOf(line.slice(start, mark))
    if (scheme === null || start < from) continue
    takeWords(line, from, start, sink)
    from = mark + 3
    // The host first: each part of the line is then read as one URL at most, whatever stands in it.
    const host = authorityEnd(line, from)
    if (!beginsUrl(`${scheme}${line.slice(mark, host)}`)) continue
    from = urlEnd(line, start)
    takeUrl(`${scheme}${line.slice(mark, from)}`, sink)
  }
  takeWords(line, from, line.length, sink)
}

const MAX_SCHEME = 12

function schemeStart(line: string, mark: number): number {
  let start = mark
  while (start > 0 && mark - start < MAX_SCHEME && /[a-z0-9]/i.test(line[start - 1]!)) start--
  return start
}

const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const SIGNS = new Set([...'.-_:@/+\ue000'].map((sign) => sign.charCodeAt(0)))
const WIDE = /[\p{L}\p{M}\p{N}]/u
/** Written without spaces, also beside a name. */
const NO_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u

type Kind = 'between' | 'sign' | 'ascii' | 'wide' | 'no spaces'

function kindOf(line: string, at: number): Kind {
  const code = line.charCodeAt(at)
  if (isLetter(code) || isDigit(code)) return 'ascii'
  if (SIGNS.has(code)) return 'sign'
  if (code < 0x80 || !WIDE.test(line[at]!)) return 'between'
  return NO_SPACES.test(line[at]!) ? 'no spaces' : 'wide'
}

/** The words between two places of a line, each looked at once. */
function takeWords(line: string, from: number, to: number, sink: Sink): void {
  let at = from
  while (at < to) {
    let kind = kindOf(line, at)
    const start = at++
    if (kind === 'between') continue
    for (; at < to; at++) {
      const next = kindOf(line, at)
      const isBreak = (kind === 'ascii' && next === 'no spaces') || (kind === 'no spaces' && next === 'ascii')
      // `%2F` and the like are signs of their own.
      if (next === 'between' || isBreak) break
      kind = next
    }
    if (at < to && line[at] === '%') at = Math.max(at, takeWord(line, start, at, sink))
    else at = takeWord(line, start, at, sink)
    if (line[at] === '%' && /^%[0-9a-f]{2}$/i.test(line.slice(at, at + 3))) at += 3
  }
}

/** @returns where the line goes on: a URL without a scheme ends behind its first word */
function takeWord(line: string, start: number, end: number, sink: Sink): number {
  // Without a dot or a colon it names nothing.
  const word = line.slice(start, end)
  if (!/[.:\ue000]/.test(word)) return end
  const around = aroundOf(line, start, end)
  if (word.includes('@')) {
    takeAts(word, sink, around)
    return end
  }
  if (!word.includes('/')) {
    takeColons(word, sink, around)
    return end
  }
  const whole = (): string => line.slice(start, Math.max(end, urlEnd(line, start)))
  return start + takePath(word, whole, sink, around)
}

const VERSION = /(?:^|[^a-z])(?:v|ver|version|release|build|rev|firmware)["'=:. ]{0,3}$/i
const FIELD_OR_CALL = /^(?:["'][ \t]?:|=|\((?!\d))/
/** As long as the patterns above reach. */
const BEFORE = 16
const AFTER = 3

function aroundOf(line: string, start: number, end: number): Around {
  const before = line.slice(Math.max(0, start - BEFORE), start)
  const isPath = before.endsWith('\\') && !/(?:^|[^\\])\\\\$/.test(before)
  return {
    isVersion: VERSION.test(before),
    notAName: isPath || FIELD_OR_CALL.test(line.slice(end, end + AFTER)),
  }
}

/** Words with at signs: mail addresses, users at hosts, versions of packages. */
function takeAts(word: string, sink: Sink, around: Around): void {
  let carried: string | null = null
  for (const part of word.split('@')) {
    if (carried === null) {
      carried = part
      continue
    }
    const cut = Math.max(carried.lastIndexOf(':'), carried.lastIndexOf('/')) + 1
    const [domain = ''] = part.split(/[:/]/, 1)
    if (takeMail(carried.slice(cut).replace(/^[.+-]/, ''), domain, sink)) {
      takeRest(carried.slice(0, cut), sink, around)
      carried = part.slice(domain.length)
    } else {
      takeRest(carried, sink, around)
      carried = part
    }
  }
  takeRest(carried ?? '', sink, around)
}

function takeRest(word: string, sink: Sink, around: Around): void {
  if (word.includes('/')) takePath(word, () => word, sink, around)
  else takeColons(word, sink, around)
}

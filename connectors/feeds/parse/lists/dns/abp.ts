import { detect } from '../../../../../schemas/intelligence/ingest/detect.ts'
import { type FeedItem, type FeedOptions, indicator, rejected } from '../../item.ts'
import { NOTHING, type ParseLine, withoutComment } from '../line.ts'
import { nameItems, withoutWildcard } from './dns-names.ts'
import { hostsLine, isHostsLine } from './hosts.ts'

/** Modifiers with which a rule still blocks the whole name; all others narrow it or mean something else. */
const PLAIN = new Set(['all', 'doc', 'document', 'important', 'popup', 'third-party', '3p'])

const HEADING = /^\[[^\]]*\]$/
const RULE = /^\|\|([^\s/^$|]+)\^(?:\$(\S+))?$/

/**
 * A filter list as DNS blockers read it: `||name^`, `*.name`, `.name`, a bare name, and lines of a hosts file. Exceptions,
 * rules of parts of pages and patterns are refused: none of them says that the whole name is bad (ADR 255).
 */
export const filterList =
  (options: FeedOptions): ParseLine =>
  (text, line) => {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.startsWith('!') || HEADING.test(trimmed)) return NOTHING
    if (trimmed.startsWith('#')) return ELEMENTS.test(trimmed) ? refuse(line, COSMETIC, trimmed) : NOTHING
    if (trimmed.startsWith('@@')) return refuse(line, 'an exception: it names what is not blocked', trimmed)
    if (trimmed.startsWith('||')) return ruleItems(line, trimmed, options)
    if (/#[@?$%]?#/.test(trimmed)) return refuse(line, COSMETIC, trimmed)
    if (/[|^$]/.test(trimmed) || /^\/.*\/$/.test(trimmed)) return refuse(line, PATTERN, trimmed)
    const content = withoutComment(trimmed)
    if (isHostsLine(content)) return hostsLine(line, content, options, false)
    return nameItems(line, [withoutWildcard(content)], trimmed, options)
  }

/** A rule for elements of all pages; what else begins with `#` is a comment. */
const ELEMENTS = /^#[@?$%]?#[^#\s]/
const COSMETIC = 'a rule for parts of pages, not for a name'
const PATTERN = 'a pattern of URLs, not a name'

const refuse = (line: number, why: string, raw: string): FeedItem[] => [rejected(line, why, raw)]

function ruleItems(line: number, text: string, options: FeedOptions): FeedItem[] {
  const [, subject, modifiers] = RULE.exec(text) ?? []
  if (subject === undefined) return refuse(line, PATTERN, text)
  const narrowing = modifiers?.split(',').find((modifier) => !PLAIN.has(modifier))
  if (narrowing !== undefined) return refuse(line, `the modifier "${narrowing}" is not read`, text)
  if (detect(subject)?.type === 'ip') return [indicator(line, subject, options)]
  return nameItems(line, [withoutWildcard(subject)], text, options)
}

import { hash } from 'node:crypto'
import { CSV_SIGNS, type CsvSigns } from '../../../connectors/feeds/csv.ts'
import {
  isRestricted,
  MARKINGS,
  type Marking,
  markingOfWord,
  shownMarking,
} from '../../../connectors/feeds/parse/marking.ts'
import { FORMATS, type Format, type ParseOptions } from '../../../connectors/feeds/read-feed.ts'
import { type Readers, readersOf } from '../../../pipelines/import/admission.ts'
import { definitionOf } from '../../../schemas/intelligence/entities/catalogue.ts'
import { canonicalAudience, PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { feedFault } from '../../../schemas/intelligence/observations/feed.ts'
import { UsageError } from '../../wiring/process/usage.ts'

/** The flags of `feed import` as they come from the command line. */
export type ImportFlags = {
  format: string
  feed: string
  trust: number
  columns?: string
  delimiter?: string
  quote?: string
  comment?: string
  header?: boolean
  trailingTags?: boolean
  type?: string
  reputation?: number
  tag: string[]
  visibleBy: string[]
  marking: string[]
  loss?: string
  follow?: boolean
  interval?: number
  tokenFile?: string
  cert?: string
  key?: string
  batch: number
}

export type ImportSettings = {
  feed: { name: string; trust: number; groups: string[] }
  readers: Readers
  parse: ParseOptions
  maxObservations: number
  /** The feed is a collection of a TAXII server, whose objects are STIX. */
  taxii: boolean
}

/** The format whose objects come from a server, not from a file. */
const TAXII = 'taxii'

/** Claimed of what a threat feed lists, unless it says otherwise. */
const DEFAULT_REPUTATION = -3

const isType = (name: string): boolean => definitionOf(name) !== undefined

/** What the flags mean. @throws UsageError naming the flag that cannot be used. */
export function readFlags(flags: ImportFlags): ImportSettings {
  const taxii = flags.format === TAXII
  const format = taxii ? 'stix' : FORMATS.find((name) => name === flags.format)
  if (format === undefined)
    throw new UsageError(`--format ${flags.format}: expected one of ${[...FORMATS, 'misp-feed', TAXII].join(', ')}`)
  if (!taxii) refuseTaxiiFlags(flags)
  const wellKnown = format === 'warninglist'
  const groups = canonicalAudience(flags.visibleBy.length === 0 ? [PUBLIC] : flags.visibleBy)
  const feed = { name: flags.feed, trust: flags.trust, groups }
  const fault = feedFault(feed)
  if (fault !== null) throw new UsageError(fault)
  if (groups.some((group) => group.trim() === '')) throw new UsageError('--visible-by: empty group name')
  if (wellKnown && groups[0] !== PUBLIC)
    throw new UsageError('--visible-by: not allowed, because well-known entities are always public')
  if (wellKnown && flags.reputation !== undefined)
    throw new UsageError('--reputation: not allowed, because well-known entities have no reputation')
  if (flags.type !== undefined && !isType(flags.type))
    throw new UsageError(`--type ${flags.type}: not a catalogue type`)
  onlyFor(format, ['misp', 'stix'], flags.marking[0], '--marking')
  onlyFor(format, ['stix'], flags.loss, '--loss')
  onlyFor(format, ['csv', 'tsv', 'jsonl'], flags.columns, '--columns')
  if (format === 'jsonl' && flags.columns === undefined)
    throw new UsageError('--format jsonl needs --columns: <member>=indicator and what other members mean')
  const signs = readSigns(flags)
  for (const name of ['delimiter', 'quote', 'comment'] as const) onlyFor(format, ['csv'], flags[name], `--${name}`)
  onlyFor(format, ['csv', 'tsv'], flags.header, '--header')
  onlyFor(format, ['lines'], flags.trailingTags, '--trailing-tags')
  onlyFor(format, ['lines', 'csv', 'tsv', 'jsonl'], flags.type, '--type')
  return {
    feed,
    taxii,
    readers: readersOf(groups, markingFlags(flags.marking)),
    maxObservations: flags.batch,
    parse: {
      format,
      columns: flags.columns ?? 'indicator',
      header: flags.header ?? false,
      trailingTags: flags.trailingTags ?? false,
      ...(signs === undefined ? {} : { signs }),
      isAttribute: isType,
      reputation: flags.reputation ?? DEFAULT_REPUTATION,
      tags: flags.tag,
      ...(flags.type === undefined ? {} : { type: flags.type }),
    },
  }
}

function refuseTaxiiFlags({ follow, interval, tokenFile, cert, key }: ImportFlags): void {
  const given = Object.entries({ follow, interval, 'token-file': tokenFile, cert, key })
  const [name] = given.find(([, value]) => value !== undefined) ?? []
  if (name !== undefined) throw new UsageError(`--${name} is only allowed with the format ${TAXII}`)
}

/** Names an import: the same bytes with the same meaning. The size of a batch means nothing. */
export function importKey(identity: string, { feed, readers, parse }: ImportSettings): string {
  const { isAttribute: _, ...meaning } = parse
  return hash('sha256', JSON.stringify([identity, feed, readers, meaning]), 'hex').slice(0, 32)
}

/** `amber=team,partners`: who may read what has a marking. @throws UsageError naming the flag that cannot be used. */
function markingFlags(flags: readonly string[]): ReadonlyMap<Marking, readonly string[]> {
  const given = new Map<Marking, string[]>()
  for (const flag of flags) {
    const [, word, list] = /^(?:tlp:)?([^=]+)=(.*)$/i.exec(flag) ?? []
    const marking = word === undefined ? undefined : markingOfWord(word)
    if (marking === undefined || list === undefined)
      throw new UsageError(`--marking ${flag}: expected <marking>=<group>[,<group>] with one of ${MARKINGS.join(', ')}`)
    if (given.has(marking)) throw new UsageError(`--marking ${flag}: ${marking} is given twice`)
    const groups = canonicalAudience(list.split(',').map((group) => group.trim()))
    if (groups.includes('')) throw new UsageError(`--marking ${flag}: empty group name`)
    if (isRestricted(marking) && groups.includes(PUBLIC))
      throw new UsageError(`--marking ${flag}: lines marked ${shownMarking(marking)} cannot be public`)
    given.set(marking, groups)
  }
  return given
}

/** Words for signs that a command line cannot easily carry. */
const SIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['\\t', '\t'],
  ['none', ''],
])

/** The signs of a CSV file; undefined when none is given. @throws UsageError naming the flag that cannot be used. */
function readSigns(flags: ImportFlags): CsvSigns | undefined {
  if (flags.delimiter === undefined && flags.quote === undefined && flags.comment === undefined) return undefined
  const sign = (name: keyof CsvSigns): string => {
    const given = flags[name] ?? CSV_SIGNS[name]
    const meant = SIGN_WORDS.get(given) ?? given
    const isOne = meant.length === 1 && !/[\r\n]/.test(meant)
    if (!isOne && !(meant === '' && name !== 'delimiter'))
      throw new UsageError(
        `--${name} ${given}: expected one character, or tab${name === 'delimiter' ? '' : ', or none'}`,
      )
    return meant
  }
  const signs = { delimiter: sign('delimiter'), quote: sign('quote'), comment: sign('comment') }
  const used = Object.values(signs).filter((one) => one !== '')
  if (new Set(used).size < used.length)
    throw new UsageError('--delimiter, --quote and --comment must be different characters')
  return signs
}

function onlyFor(format: Format, formats: Format[], value: unknown, flag: string): void {
  if (value !== undefined && !formats.includes(format))
    throw new UsageError(`${flag} is only allowed with the format ${formats.join(' or ')}`)
}

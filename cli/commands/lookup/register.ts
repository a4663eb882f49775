import { access, constants } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { lineReader } from '../../../connectors/feeds/line-reader.ts'
import {
  type Extraction,
  extractIndicators,
  extractor,
  leftOutWords,
} from '../../../schemas/intelligence/extract/extract.ts'
import { type Indicator, MAX_LINE, MAX_LINES_KEPT } from '../../../schemas/intelligence/extract/indicator.ts'
import { ANSWERS, answerOf, worstFirst } from '../../../schemas/intelligence/extract/ranking.ts'
import { detect } from '../../../schemas/intelligence/ingest/detect.ts'
import { type VerdictFacts, verdictLine } from '../../../schemas/intelligence/verdict-line.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { asking } from '../admin/context.ts'
import type { AdminRequest } from '../admin/server-context.ts'
import { readLog, readStream } from '../match/follow.ts'
import { LINES, withJson } from '../output.ts'
import { amount } from '../values/amount.ts'
import { unusable } from '../values/values.ts'
import { askAbout, DECIDED, REPORTED } from './ask.ts'
import { asCsv, asJson, asTable, type LookedUp, scoreOf, summary } from './print.ts'

/**
 * The indicator that an argument is, defanged or not; null: it names a file. A file that is there wins, and what could
 * be the name of one is no indicator (ADR 268).
 */
async function valueIn(argument: string): Promise<Indicator | null> {
  if (argument === '-' || /^[./\\]/.test(argument)) return null
  const { indicators, left } = extractIndicators(argument)
  if (indicators.length === 0 && left.notPublic === 0) return null
  const found = detect(argument)
  if (found === null || (await isThere(argument))) return null
  return { type: found.type, value: found.value, lines: [1], count: 1, text: argument }
}

/** Most values of one command line; more are a text. */
const MAX_VALUES = 1_000

/**
 * The distinct indicators that several arguments are, each with the numbers of its arguments as lines.
 * @throws UsageError that names an argument which is none: a file is looked up alone
 */
async function valuesIn(places: readonly string[]): Promise<Indicator[]> {
  if (places.length > MAX_VALUES)
    throw new UsageError(`more than ${MAX_VALUES} values: give them as lines on the standard input (harrier lookup -)`)
  const found = new Map<string, Indicator>()
  for (const [at, place] of places.entries()) {
    const one = await valueIn(place)
    if (one === null) throw new UsageError(`${place}: not a value; a file or - cannot be combined with values`)
    const key = `${one.type} ${one.value}`
    const known = found.get(key)
    if (known === undefined) found.set(key, { ...one, lines: [at + 1] })
    else found.set(key, { ...known, lines: [...known.lines, at + 1].slice(0, MAX_LINES_KEPT), count: known.count + 1 })
  }
  return [...found.values()]
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** What is known of one value, for people: the value, the verdict in one sentence, and its tags. */
async function asSentence(one: LookedUp, ask: AdminRequest, now: number): Promise<string> {
  const lines = [`${one.type} ${one.value}`, await sentenceOf(one, ask, now)]
  if (one.networks.length > 0) lines.push(`In ${one.networks.join(', ')}`)
  if (one.tags.length > 0) lines.push(`Tags: ${one.tags.join(', ')}`)
  if (one.id === null) lines.push(...(await aroundOf(one, ask)))
  return `${lines.join('\n')}\n`
}

type Around = {
  location?: { country: string; asn: number | null; aso: string }
  suggestions: readonly { value: string }[]
}

/** Of a value that nobody reported: where an address is, and which known name a name may be a misspelling of (ADR 268). */
async function aroundOf({ value }: LookedUp, ask: AdminRequest): Promise<string[]> {
  const { location, suggestions } = (await ask('POST', '/api/search/v1/around', { value })) as Around
  const place = location ? [location.country, location.asn && `AS${location.asn}`, location.aso].filter(Boolean) : []
  return [
    ...(place.length > 0 ? [`Location: ${place.join(', ')}`] : []),
    ...(suggestions.length > 0 ? [`Did you mean ${suggestions.map((one) => one.value).join(', ')}?`] : []),
  ]
}

/** The sentence of the page of the entity (ADR 269). */
async function sentenceOf(one: LookedUp, ask: AdminRequest, now: number): Promise<string> {
  if (one.by) {
    const own = one.id === null ? 'not reported' : 'reported without a reputation'
    return `${ANSWERS[answerOf(one)]}: ${own}; the ${one.by.type} ${one.by.value} decides (${scoreOf(one)})`
  }
  if (one.id === null) return `${ANSWERS[answerOf(one)]}: not reported`
  const facts = (await ask('GET', `/api/search/v1/entity/${encodeURIComponent(one.id)}/evidence`)) as VerdictFacts
  return verdictLine(facts, now)
}

/** Distinct indicators of one command; each is held until the answer is sorted. */
const MOST = 100_000

/**
 * The indicators of a file, or of the standard input (`-`), read piece by piece: memory holds a piece, a line and the
 * indicators. Lines that are too long are counted and not read.
 */
async function readIndicators(place: string, stdin: Readable, signal: AbortSignal): Promise<Extraction> {
  if (place !== '-') await access(place, constants.R_OK).catch(unusable(place))
  const reading = extractor({ most: MOST })
  const reader = lineReader(MAX_LINE)
  const decoder = new TextDecoder()
  let overlong = 0
  const take = (lines: readonly (string | null)[]): void => {
    for (const line of lines) {
      if (line === null) overlong++
      reading.line(line ?? '')
    }
  }
  const pieces = place === '-' ? readStream(stdin, signal) : readLog(place, { follow: false, signal })
  try {
    for await (const piece of pieces)
      if (typeof piece !== 'symbol') take(reader.push(decoder.decode(piece, { stream: true })))
  } catch (error) {
    unusable(place)(error as NodeJS.ErrnoException)
  }
  take(reader.push(decoder.decode()))
  take(reader.end())
  const { left, ...found } = reading.found()
  return { ...found, left: { ...left, cutLines: left.cutLines + overlong } }
}

type Output = { write(text: string): unknown }

export type LookupContext = {
  /** The platform that is asked. */
  open: () => Promise<AdminRequest>
  stdin: Readable
  stdout: Output
  stderr: Output
  /** Aborted when the caller does not need the result any more. */
  signal: AbortSignal
}

type Flags = { json?: true; csv?: true; malicious?: true; exitCode?: true; reputation?: true }

/** With `--exit-code`, where something is malicious: neither a failure nor a wrong command line. */
const FOUND_MALICIOUS = 3

/** Up to so many values are answered in sentences, for which each is asked about again; more are a table. */
const MAX_SENTENCES = 10

/** Adds `lookup`: what is known of values, or of the indicators of any text (ADR 268). */
export function registerLookup(program: Command, context: LookupContext): void {
  const command = withJson(asking(program.command('lookup <file|value...>')), LINES)
    .description(
      'look up values, or the indicators of a text, such as a log, a mail or a report; `-` reads the standard input',
    )
    .option('--malicious', 'only those with a negative reputation')
    .option('--reputation', 'where nothing decides for a value itself, let its network, parent domain or host decide')
    .option('--csv', 'print CSV')
    .option('--exit-code', `end with ${FOUND_MALICIOUS} when one of them has a negative reputation`)
    .action(async (places: string[], flags: Flags) => {
      const all = await lookUp(places, flags, context)
      const found = all.filter((one) => answerOf(one) === 'malicious').length
      if (flags.exitCode && found > 0)
        command.error(`${amount(found, 'indicator')} with a negative reputation`, { exitCode: FOUND_MALICIOUS })
    })
}

/** Prints what is known; all that was looked up, whatever is printed of it. */
async function lookUp(
  places: readonly string[],
  { json, csv, malicious, reputation }: Flags,
  context: LookupContext,
): Promise<readonly LookedUp[]> {
  if (json && csv) throw new UsageError('--json and --csv: choose one of them')
  const { stdin, stdout, stderr, signal } = context
  const given = await givenValues(places)
  const { indicators, lines, left } = given === null ? await readIndicators(places[0]!, stdin, signal) : only(given)
  if (signal.aborted) throw new Error('stopped before the text was read; nothing was looked up')
  const values = [...new Set(indicators.map(({ value }) => value))]
  const ask = await context.open()
  const { known, asked, failed } = await askAbout(values, reputation ? DECIDED : REPORTED, ask, signal)
  const all = indicators.map((one): LookedUp => {
    const found = known.get(one.value) ?? NOTHING
    return { ...one, ...found, covered: found.networks.length > 0, asked: asked.has(one.value) }
  })
  const isShown = (one: LookedUp): boolean => !malicious || answerOf(one) === 'malicious'
  if (given !== null && given.length <= MAX_SENTENCES && !json && !csv) {
    if (failed !== null) throw failed
    const sentences: string[] = []
    for (const one of all.filter(isShown)) sentences.push(await asSentence(one, ask, Date.now()))
    stdout.write(sentences.join('\n'))
    return all
  }
  const shown = all.sort(worstFirst).filter(isShown)
  if (json) stdout.write(asJson(shown))
  else if (csv) stdout.write(asCsv(shown, reputation))
  else if (shown.length > 0) stdout.write(asTable(shown))
  // What programs read has one form; the counts are for people.
  const say = json || csv ? stderr : stdout
  say.write(summary(all, lines))
  const words = leftOutWords(left)
  if (words.length > 0) say.write(`left out: ${words.join(', ')}\n`)
  if (failed !== null) throw failed
  return all
}

/** The values that were typed; null where one argument names a text. */
async function givenValues(places: readonly string[]): Promise<Indicator[] | null> {
  if (places.length > 1) return valuesIn(places)
  const single = await valueIn(places[0]!)
  return single === null ? null : [single]
}

const only = (indicators: Indicator[]): Extraction => ({
  indicators,
  lines: indicators.reduce((sum, { count }) => sum + count, 0),
  left: { notPublic: 0, tooLong: 0, tooMany: 0, cutLines: 0 },
})

const NOTHING = { id: null, reputation: null, accuracy: null, lastSeen: null, tags: [], networks: [] }

import { access } from 'node:fs/promises'
import { extractIndicators } from '../../../schemas/intelligence/extract/extract.ts'
import { type Indicator, MAX_LINES_KEPT } from '../../../schemas/intelligence/extract/indicator.ts'
import { ANSWERS, answerOf } from '../../../schemas/intelligence/extract/ranking.ts'
import { detect } from '../../../schemas/intelligence/ingest/detect.ts'
import { type VerdictFacts, verdictLine } from '../../../schemas/intelligence/summary/verdict-line.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import type { AdminRequest } from '../admin/server.ts'
import type { LookedUp } from './print.ts'

/**
 * The indicator that an argument is, defanged or not; null: it names a file. A file that is there wins, and what could
 * be the name of one is no indicator (ADR 232).
 */
export async function valueIn(argument: string): Promise<Indicator | null> {
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
export async function valuesIn(places: readonly string[]): Promise<Indicator[]> {
  if (places.length > MAX_VALUES)
    throw new UsageError(`more than ${MAX_VALUES} values: give them as lines on the standard input (harrier lookup -)`)
  const found = new Map<string, Indicator>()
  for (const [at, place] of places.entries()) {
    const one = await valueIn(place)
    if (one === null) throw new UsageError(`${place}: not a value; a file or - is looked up alone`)
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
export async function asSentence(one: LookedUp, ask: AdminRequest, now: number): Promise<string> {
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

/** Of a value that nobody reported: where an address is, and which known name a name may be a misspelling of (ADR 235). */
async function aroundOf({ value }: LookedUp, ask: AdminRequest): Promise<string[]> {
  const { location, suggestions } = (await ask('POST', '/api/search/v1/around', { value })) as Around
  const place = location ? [location.country, location.asn && `AS${location.asn}`, location.aso].filter(Boolean) : []
  return [
    ...(place.length > 0 ? [`Location: ${place.join(', ')}`] : []),
    ...(suggestions.length > 0 ? [`Did you mean ${suggestions.map((one) => one.value).join(', ')}?`] : []),
  ]
}

/** The sentence of the page of the entity (ADR 238). */
async function sentenceOf(one: LookedUp, ask: AdminRequest, now: number): Promise<string> {
  if (one.id === null) return `${ANSWERS[answerOf(one)]}: nobody has reported it`
  const facts = (await ask('GET', `/api/search/v1/entity/${encodeURIComponent(one.id)}/evidence`)) as VerdictFacts
  return verdictLine(facts, now)
}

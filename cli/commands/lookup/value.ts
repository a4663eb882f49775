import { access } from 'node:fs/promises'
import { extractIndicators } from '../../../schemas/intelligence/extract/extract.ts'
import type { Indicator } from '../../../schemas/intelligence/extract/indicator.ts'
import { ANSWERS, answerOf } from '../../../schemas/intelligence/extract/ranking.ts'
import { detect } from '../../../schemas/intelligence/ingest/detect.ts'
import { type VerdictFacts, verdictLine } from '../../../schemas/intelligence/summary/verdict-line.ts'
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

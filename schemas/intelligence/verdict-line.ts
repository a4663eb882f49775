/** The verdict about an entity in one line, for people (ADR 269). */

import { reputationLabel, scoreLabel } from './entities/labels.ts'

// Times as a sentence says them. All are unix milliseconds.

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `9 minutes ago`, in the largest unit that fits; less than a minute is `just now`. */
export function ago(at: number, now: number): string {
  const unit = UNITS.find(([, ms]) => now - at >= ms)
  return unit === undefined ? 'just now' : RELATIVE.format(-Math.floor((now - at) / unit[1]), unit[0])
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** `3 December`, with the year where it is not this one. UTC. */
export function day(at: number, now: number): string {
  const year = new Date(at).getUTCFullYear()
  return year === new Date(now).getUTCFullYear() ? DAY.format(at) : `${DAY.format(at)} ${year}`
}

/** What the line says. Times are ISO 8601, as the evidence of the API has them. */
export type VerdictFacts = {
  reputation: number
  accuracy: number
  wellKnown: boolean
  /** The reputation is 0 because the entity, or what it lies in, is well known. */
  floored: boolean
  /** What the customer decided; it decides the score. */
  verdict?: { verdict: 'benign' | 'malicious'; until?: string | undefined } | undefined
  standing: {
    sources: number
    bad: number
    good: number
    neutral: number
    expired: number
    newest: string | null
    next: { at: string; reputation: number } | null
  }
}

const ACCURACY = ['no', 'low', 'medium', 'high'] as const

/**
 * `Alarming, high accuracy: 4 sources say bad, newest 9 minutes ago, fades to Bad on 3 December`. What decides beside the
 * claims comes first: a verdict of the customer, a well-known mark, reports that were all taken back.
 * @param now unix milliseconds
 */
export function verdictLine(facts: VerdictFacts, now: number): string {
  const { reputation, accuracy, standing, verdict } = facts
  if (standing.sources === 0 && verdict === undefined)
    return facts.wellKnown
      ? 'Well known, no verdict: no source reports it as bad'
      : 'No verdict: every report that you may read was retracted'
  const newest = standing.newest === null ? [] : [`newest ${ago(Date.parse(standing.newest), now)}`]
  const head = `${headOf(reputation, accuracy)}: `
  if (verdict !== undefined) {
    const until = verdict.until === undefined ? '' : ` until ${day(Date.parse(verdict.until), now)}`
    const others = standing.sources === 0 ? [] : [saidBy(standing, 0), ...newest]
    if (facts.floored) return `${head}${floorOf(facts)}; your team decided ${verdict.verdict}${until}`
    return `${head}${[`your team decided ${verdict.verdict}${until}`, ...others].join(', ')}`
  }
  if (facts.floored) return `${floorOf(facts)}: ${[saidBy(standing, -1), ...newest].join(', ')}`
  const fades = standing.next === null || reputation === 0 ? [] : [fading(standing.next, now)]
  const known = facts.wellKnown ? 'well known, ' : ''
  return `${head}${known}${[saidBy(standing, Math.sign(reputation)), ...newest, ...fades].join(', ')}`
}

const headOf = (reputation: number, accuracy: number): string => {
  const label = scoreLabel(reputation, accuracy)
  return reputation === 0 && accuracy === 0 ? label : `${label}, ${ACCURACY[accuracy] ?? 'no'} accuracy`
}

const floorOf = ({ wellKnown }: VerdictFacts): string =>
  wellKnown ? 'Well known, so never shown as bad' : 'Part of something well known, so never shown as bad'

/** `on 3 December`: also what fades to nothing has a word. */
const fading = ({ at, reputation }: { at: string; reputation: number }, now: number): string =>
  `fades to ${reputation === 0 ? 'no verdict' : reputationLabel(reputation)} on ${day(Date.parse(at), now)}`

const sources = (n: number): string => `${n.toLocaleString('en')} ${n === 1 ? 'source' : 'sources'}`

/** Who says what; those who say what the score says come first. @param sign of the reputation */
function saidBy({ bad, good, neutral, expired, sources: all }: VerdictFacts['standing'], sign: number): string {
  const sides = [
    { n: bad, sign: -1, word: 'bad' },
    { n: good, sign: 1, word: 'good' },
    { n: neutral, sign: 0, word: 'neither good nor bad' },
  ]
  const spoken = sides.filter(({ n }) => n > 0).sort((a, b) => Number(b.sign === sign) - Number(a.sign === sign))
  if (spoken.length > 0)
    return spoken
      .map(({ n, word }, i) => `${i === 0 ? sources(n) : n.toLocaleString('en')} ${n === 1 ? 'says' : 'say'} ${word}`)
      .join(', ')
  if (expired > 0) return `the claims of ${sources(expired)} have faded`
  return `${sources(all)} saw it without a verdict`
}

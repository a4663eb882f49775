import { definitionOf } from '../entities/catalogue.ts'
import { HALF_LIVES, OTHERS } from '../entities/half-life.ts'

/** How claims become a score: everything of decisions 4 that may be set without another program. */
export type ScoringRules = {
  /** What the rules are called: in answers about evidence, in the log, in reports. */
  id: string
  /** 1: the mean of the reputations by weight. 2: their median by weight, ties towards zero. */
  formula: 1 | 2
  /** By source, or by kind of source as `kind:feed`; in place of the trust that a claim carries. 0 < trust <= 1. */
  trust: Readonly<Record<string, number>>
  /** Days by type; `*`: of the types that are not listed. */
  halfLives: Readonly<Record<string, number>>
}

/** The rules that the platform comes with. */
export const BUILT_IN: ScoringRules = Object.freeze({
  id: 'built-in',
  formula: 1,
  trust: Object.freeze({}),
  halfLives: HALF_LIVES,
})

/** Returns the rules that are in force now. */
export type Scoring = () => Promise<ScoringRules>
export const builtIn: Scoring = async () => BUILT_IN

const KINDS = new Set(['customer', 'user', 'feed', 'scan', 'trusted'])
const FIELDS = new Set(['id', 'formula', 'trust', 'halfLives'])
const ID = /^[\w.:-]{1,64}$/
/** Sources that have a trust of their own; each stands in the queries of a search. */
const MAX_SOURCES = 1_000
const MAX_SOURCE = 200
/** Ten years: past it a claim would never fade. */
const MAX_DAYS = 3_650

export class BadRules extends Error {}

/**
 * Rules as an operator writes them, a JSON object; what it leaves out is as it comes with the platform.
 * @throws BadRules that names every field with a fault
 */
export function readRules(given: unknown): ScoringRules {
  if (!isRecord(given)) throw new BadRules('rules: must be an object')
  const faults = Object.keys(given)
    .filter((name) => !FIELDS.has(name))
    .map((name) => `${name}: unknown field`)
  const { id, formula = BUILT_IN.formula } = given
  if (typeof id !== 'string' || !ID.test(id)) faults.push('id: must be 1 to 64 characters: letters, digits or _ . : -')
  if (formula !== 1 && formula !== 2) faults.push(`formula: ${printValue(formula)} is unknown; expected 1 or 2`)
  const trust = numbersOf('trust', given.trust, trustFault, faults)
  const halfLives = numbersOf('halfLives', given.halfLives, halfLifeFault, faults)
  if (Object.keys(trust).length > MAX_SOURCES) faults.push(`trust: must name at most ${MAX_SOURCES} sources`)
  if (faults.length > 0) throw new BadRules(faults.slice(0, 20).join('\n'))
  return { id: id as string, formula: formula as 1 | 2, trust, halfLives: { ...HALF_LIVES, ...halfLives } }
}

/** Rules as the pointer of the generations carries them: text, or nothing for the built-in ones. @throws BadRules */
export const rulesIn = (text: string): ScoringRules => (text === '' ? BUILT_IN : parseRules(text))

/** The same from text. @throws BadRules */
export function parseRules(text: string): ScoringRules {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (cause) {
    throw new BadRules(`rules: not valid JSON (${cause instanceof Error ? cause.message : cause})`, { cause })
  }
  return readRules(given)
}

function trustFault(source: string, trust: number): string | null {
  if (source === '' || source.length > MAX_SOURCE) return `the name of a source must have 1 to ${MAX_SOURCE} characters`
  if (source.startsWith('kind:') && !KINDS.has(source.slice(5)))
    return `unknown kind of source; expected one of ${[...KINDS].join(', ')}`
  return trust > 0 && trust <= 1 ? null : `${trust} is out of range; expected above 0 and at most 1`
}

function halfLifeFault(type: string, days: number): string | null {
  if (type !== OTHERS && !Object.hasOwn(HALF_LIVES, type) && definitionOf(type) === undefined)
    return 'unknown entity type'
  return days > 0 && days <= MAX_DAYS ? null : `${days} is out of range; expected above 0 and at most ${MAX_DAYS} days`
}

/** The numbers of an object by name; faults are named and added. */
function numbersOf(
  field: string,
  given: unknown,
  faultOf: (name: string, n: number) => string | null,
  faults: string[],
): Record<string, number> {
  if (given === undefined) return {}
  if (!isRecord(given)) {
    faults.push(`${field}: must be an object`)
    return {}
  }
  for (const [name, n] of Object.entries(given)) {
    const fault = typeof n === 'number' ? faultOf(name, n) : `${printValue(n)} is not a number`
    if (fault !== null) faults.push(`${field}.${name.slice(0, MAX_SOURCE)}: ${fault}`)
  }
  return given as Record<string, number>
}

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const printValue = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60)

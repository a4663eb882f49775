import { hostNameOf, isBelow } from '../compare/compare-names.ts'
import { isWithin, type Network, outermostNetworks, readNetwork } from '../compare/compare-networks.ts'
import { type PrefixForm, prefixForms, valueForms } from '../compare/forms.ts'
import { rangeOf } from '../propagation/range.ts'
import { milliseconds } from './duration.ts'
import type { Selector, SelectorView } from './selector.ts'

/** A selector as it is tested: lists as sets, texts in the forms that values have. null: not asked for. */
type Conditions = {
  types: ReadonlySet<string> | null
  values: ReadonlySet<string> | null
  prefixes: readonly PrefixForm[] | null
  suffix: string | null
  /** None of them in another one, in the order of their addresses. */
  networks: readonly Network[] | null
  countries: ReadonlySet<string> | null
  asns: ReadonlySet<number> | null
  /** Milliseconds. */
  window: number | null
}

const setOf = <T>(list: readonly T[] | undefined): ReadonlySet<T> | null => (list === undefined ? null : new Set(list))

function conditionsOf({ types, value, cidr, country, asn, seenWithin }: Selector): Conditions {
  return {
    types: setOf(types),
    values: value?.in === undefined ? null : new Set(value.in.flatMap((one) => [...valueForms(one)])),
    prefixes: value?.prefix === undefined ? null : prefixForms(value.prefix),
    suffix: value?.suffix ?? null,
    networks: cidr === undefined ? null : outermostNetworks(cidr.map(network)),
    countries: setOf(country),
    asns: setOf(asn),
    window: seenWithin === undefined ? null : milliseconds(seenWithin),
  }
}

function network(text: string): Network {
  const read = readNetwork(text)
  if ('reason' in read) throw new Error(`a selector was not read: ${text} ${read.reason}`)
  return read
}

/** A selector that is ready to decide. */
export type CompiledSelector = {
  readonly selector: Selector
  readonly conditions: Conditions
  /** Whether the view is inside at a moment, in unix milliseconds. */
  holds(view: SelectorView, now: number): boolean
  /** Whether the view is inside as long as it was seen lately enough: everything but `seenWithin`. */
  holdsAtAnyTime(view: SelectorView): boolean
  /**
   * From which moment on, in unix milliseconds, the time alone keeps the view out; null if it never does. Before it the
   * view is inside exactly where `holdsAtAnyTime`.
   */
  leavesAt(view: SelectorView): number | null
}

type Test = (view: SelectorView) => boolean

/** Compiles a selector that `readSelector` gave (decisions 10.3). */
export function compileSelector(selector: Selector): CompiledSelector {
  const conditions = conditionsOf(selector)
  const tests = testsOf(selector, conditions)
  const { window } = conditions
  const holdsAtAnyTime = (view: SelectorView): boolean => {
    if (view.retracted) return false
    for (let i = 0; i < tests.length; i++) if (!tests[i]!(view)) return false
    return true
  }
  return {
    selector,
    conditions,
    holdsAtAnyTime,
    holds: (view, now) => (window === null || now < view.lastSeen + window) && holdsAtAnyTime(view),
    leavesAt: (view) => (window === null ? null : view.lastSeen + window),
  }
}

/** What is cheap to ask, and what few entities meet, comes first. */
function testsOf({ reputation, accuracy, tags, wellKnown }: Selector, conditions: Conditions): Test[] {
  const { types, values, prefixes, suffix, networks, countries, asns } = conditions
  const tests: Test[] = []
  if (types !== null) tests.push(({ type }) => types.has(type))
  if (reputation !== undefined) tests.push(between('reputation', reputation))
  if (accuracy !== undefined) tests.push(between('accuracy', accuracy))
  if (wellKnown !== 'any') tests.push((view) => (view.wellKnown || view.covered) === wellKnown)
  if (asns !== null) tests.push(({ asn }) => asns.has(asn))
  if (countries !== null) tests.push(({ country }) => countries.has(country))
  if (values !== null) tests.push(({ value }) => values.has(value))
  if (tags?.any !== undefined) tests.push(hasSome(tags.any))
  for (const tag of tags?.all ?? []) tests.push((view) => view.tags.includes(tag))
  if (tags?.none !== undefined) tests.push(not(hasSome(tags.none)))
  if (prefixes !== null)
    tests.push(({ type, value }) =>
      prefixes.some((form) => (form.types === null || form.types.has(type)) && value.startsWith(form.text)),
    )
  if (suffix !== null)
    tests.push(({ type, value }) => {
      const name = hostNameOf(type, value)
      return name !== null && isBelow(name, suffix)
    })
  if (networks !== null)
    tests.push(({ type, value }) => {
      const range = rangeOf(type, value)
      return range !== null && isWithin(networks, range)
    })
  return tests
}

const between =
  (name: 'reputation' | 'accuracy', { gte = -Infinity, lte = Infinity }: { gte?: number; lte?: number }): Test =>
  (view) =>
    view[name] >= gte && view[name] <= lte

function hasSome(tags: readonly string[]): Test {
  const wanted = new Set(tags)
  return (view) => {
    for (const tag of view.tags) if (wanted.has(tag)) return true
    return false
  }
}

const not =
  (test: Test): Test =>
  (view) =>
    !test(view)

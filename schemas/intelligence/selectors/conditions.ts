import { type PrefixForm, prefixForms, valueForms } from '../compare/forms.ts'
import { type Network, outermostNetworks, readNetwork } from '../compare/networks.ts'
import { milliseconds } from './duration.ts'
import type { Selector } from './selector.ts'

/** A selector as it is tested: lists as sets, texts in the forms that values have. null: not asked for. */
export type Conditions = {
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

export function conditionsOf({ types, value, cidr, country, asn, seenWithin }: Selector): Conditions {
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

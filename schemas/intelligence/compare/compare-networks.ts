import { anyNetwork } from '../entities/datatypes/cidr.ts'
import { isRefusal, type Refusal } from '../entities/refusal.ts'
import { byAddress, contains, type Range, rangeOf } from '../propagation/range.ts'

/** A network as it is compared: its text with the host bits cleared, its addresses and the length of its prefix. */
export type Network = { text: string; range: Range; bits: number }

/** Reads a network in CIDR notation: any, also one that no entity may be (decisions 10.3). */
export function readNetwork(raw: string): Network | Refusal {
  const text = anyNetwork(raw.trim())
  if (isRefusal(text)) return text
  return { text, range: rangeOf('cidr', text)!, bits: Number(text.slice(text.indexOf('/') + 1)) }
}

/** The networks that are in no other one, in the order of their addresses. */
export function outermostNetworks(networks: readonly Network[]): readonly Network[] {
  const kept: Network[] = []
  for (const network of [...networks].sort((a, b) => byAddress(a.range, b.range))) {
    const last = kept.at(-1)
    if (last === undefined || !contains(last.range, network.range)) kept.push(network)
  }
  return kept
}

/** Whether all addresses of a range are in one of the networks, which are `outermostNetworks`; in logarithmic time. */
export function isWithin(networks: readonly Network[], range: Range): boolean {
  let low = 0
  let high = networks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { family, first } = networks[middle]!.range
    if (family < range.family || (family === range.family && first <= range.first)) low = middle + 1
    else high = middle
  }
  const before = networks[low - 1]
  return before !== undefined && contains(before.range, range)
}

import { hostOf, type TypedValue } from './coverage.ts'
import { byAddress, contains, type Range, rangeOf } from './range.ts'

/** An index of covering marks: finds the mark that covers an entity in logarithmic time. */
export type MarkIndex = {
  /** The widest network, or the nearest domain, that covers the entity (`isCoveredBy`); null when there is none. */
  over(entity: TypedValue): TypedValue | null
}

type Network = { range: Range; mark: TypedValue }

/** The networks that are not inside of another one: sorted, and without any overlap. */
function outermost(marks: readonly TypedValue[]): Network[] {
  const sorted = marks
    .map((mark) => ({ range: rangeOf(mark.type, mark.value)!, mark }))
    .sort((a, b) => byAddress(a.range, b.range))
  const kept: Network[] = []
  for (const network of sorted) {
    const last = kept.at(-1)
    if (last === undefined || !contains(last.range, network.range)) kept.push(network)
  }
  return kept
}

/** The last network that begins at or before the range. */
function before(networks: readonly Network[], range: Range): Network | undefined {
  let low = 0
  let high = networks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { family, first } = networks[middle]!.range
    if (family < range.family || (family === range.family && first <= range.first)) low = middle + 1
    else high = middle
  }
  return networks[low - 1]
}

const same = (a: TypedValue, b: TypedValue): boolean => a.type === b.type && a.value === b.value

/** An index of marks of type cidr and domain, in any order; those of other types cover nothing and are left out. */
export function markIndex(marks: readonly TypedValue[]): MarkIndex {
  const networks = outermost(marks.filter((mark) => mark.type === 'cidr'))
  const domains = new Map(marks.filter((mark) => mark.type === 'domain').map((mark) => [mark.value, mark]))

  function domainOver(entity: TypedValue): TypedValue | null {
    const host = hostOf(entity)
    if (host === null) return null
    for (let at = 0; ; ) {
      const mark = domains.get(host.slice(at))
      if (mark !== undefined && !same(mark, entity)) return mark
      const dot = host.indexOf('.', at)
      if (dot < 0) return null
      at = dot + 1
    }
  }

  return {
    over(entity) {
      const range = networks.length === 0 ? null : rangeOf(entity.type, entity.value)
      if (range === null) return domains.size === 0 ? null : domainOver(entity)
      const found = before(networks, range)
      return found !== undefined && contains(found.range, range) && !same(found.mark, entity) ? found.mark : null
    },
  }
}

import { prefixForms } from '../compare/forms.ts'
import { milliseconds } from './duration.ts'
import type { Selector } from './selector.ts'

type Clause = Readonly<Record<string, unknown>>

/** The body of `POST /api/search/v1/entities/advanced` that asks what a selector asks. */
export type SelectorSearch = { query: { filter: Clause[]; must_not: Clause[] } }

/**
 * The search that finds exactly the entities that the selector holds for, as the searching reader is shown them
 * (decisions 10.3, 5.5).
 * @param now the moment of the question in unix milliseconds; left out: that of the search
 */
export function searchOfSelector(selector: Selector, now?: number): SelectorSearch {
  const { types, reputation, accuracy, tags, value, cidr, country, asn, seenWithin, wellKnown } = selector
  const known = (is: boolean): Clause[] => [{ term: { wellKnown: is } }, { term: { covered: is } }]
  const filter: (Clause | false | undefined)[] = [
    types && { terms: { type: types } },
    reputation && { range: { reputation } },
    accuracy && { range: { accuracy } },
    tags?.any && { terms: { tags: tags.any } },
    ...(tags?.all ?? []).map((tag) => ({ term: { tags: tag } })),
    // Of its keyword: a network among the values is that network and not what is inside.
    value?.in && { terms: { 'value.keyword': value.in } },
    value?.prefix !== undefined && prefix(value.prefix),
    value?.suffix !== undefined && { suffix: { value: value.suffix } },
    ...(cidr === undefined ? [] : [{ terms: { type: ['ip', 'cidr'] } }, { terms: { value: cidr } }]),
    country && { terms: { country } },
    asn && { terms: { asn } },
    seenWithin !== undefined && { range: { lastSeen: { gt: since(seenWithin, now) } } },
    wellKnown === true && { bool: { should: known(true) } },
  ]
  return {
    query: {
      filter: filter.filter((clause) => typeof clause === 'object'),
      must_not: [...(tags?.none ? [{ terms: { tags: tags.none } }] : []), ...(wellKnown === false ? known(true) : [])],
    },
  }
}

/** A view leaves at the end of its window, so what was seen at the beginning of it is not inside. */
const since = (window: string, now: number | undefined): string | number =>
  now === undefined ? `now-${window}` : now - milliseconds(window)!

function prefix(text: string): Clause {
  const forms = prefixForms(text).map(({ text: form, types }): Clause => {
    const begins = { prefix: { 'value.keyword': form } }
    return types === null ? begins : { bool: { filter: [{ terms: { type: [...types] } }, begins] } }
  })
  return forms.length === 1 ? forms[0]! : { bool: { should: forms } }
}

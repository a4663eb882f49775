import type { EdgeItem, ListedItem, ListState } from '../../../connectors/edge-list/port.ts'
import type { AnswersOptions } from '../../../edge/answers/answers.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { networksAround, sortNetworks } from '../../../schemas/intelligence/propagation/networks.ts'

type List = NonNullable<ReturnType<AnswersOptions['list']>>

/** An item that says nothing but what is given. */
export const edgeItem = (type: string, value: string, given: Partial<EdgeItem> = {}): EdgeItem => ({
  type,
  value,
  reputation: -3,
  accuracy: 2,
  tags: [],
  ...given,
})

/** As a list gives it. */
export const listedItem = (item: EdgeItem): ListedItem => ({ ...item, id: entityId(item.type, item.value) })

/** A list on no disk: looked through from its first item to its last. */
export function itemList(items: EdgeItem[], state: Partial<ListState> = {}): List {
  return {
    state: () => ({ feed: 'f', cursor: 'c', sequence: 7, complete: true, ...state, items: items.length }),
    items: (value) => items.filter((item) => item.value === value).map(listedItem),
    around(inner) {
      const networks = sortNetworks(items.filter(({ type }) => type === 'cidr').map((item) => ({ ...item })))
      const found = networksAround([inner], networks).get(inner.value) ?? []
      return found.map(({ value }) => value).filter((value) => value !== inner.value)
    },
    isAboveListed: (name) => items.some(({ value }) => value.endsWith(`.${name}`)),
    holdsListed: () => false,
  }
}

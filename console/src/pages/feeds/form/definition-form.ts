/** What the form of a feed says, and what it asks of the platform (decisions 11.1, 11.4). */

import { DEFAULT_GUARD } from '../../../../../schemas/feeds-out/feed.ts'
import type { paths } from '../../../api/schema.d.ts'
import { fieldsOf, type SelectorFields, selectorOf, USUAL } from '../../../parts/form/selector/selector-form.ts'
import type { Feed } from '../feed.ts'

type Change = paths['/api/feeds/v1/feeds/{id}']['patch']['requestBody']['content']['application/json']
type Definition = Required<Change>

/** Numbers are empty where nothing is asked for. */
export type FeedFields = {
  name: string
  description: string
  selector: SelectorFields
  cap: number | ''
  guarded: boolean
  /** Percent of the list. */
  loss: number | ''
  gain: number | ''
  from: number | ''
}

/** The fields of a feed as it is; of none: those that a new one begins with. */
export function feedFields(feed?: Feed): FeedFields {
  const { loss, gain, from } = feed?.guard ?? DEFAULT_GUARD
  return {
    name: feed?.name ?? '',
    description: feed?.description ?? '',
    selector: feed === undefined ? USUAL : fieldsOf(feed.selector),
    cap: feed?.cap ?? '',
    guarded: feed?.guard !== null,
    loss: percentOf(loss),
    gain,
    from,
  }
}

const percentOf = (share: number): number => Number((share * 100).toFixed(6))

/** The whole definition. What is left empty of the guard is as by default. */
export const definitionOf = ({
  name,
  description,
  selector,
  cap,
  guarded,
  loss,
  gain,
  from,
}: FeedFields): Definition => ({
  name,
  description,
  selector: selectorOf(selector),
  cap: cap === '' ? null : cap,
  guard: guarded
    ? {
        loss: loss === '' ? DEFAULT_GUARD.loss : Number((loss / 100).toFixed(8)),
        gain: gain === '' ? DEFAULT_GUARD.gain : gain,
        from: from === '' ? DEFAULT_GUARD.from : from,
      }
    : null,
})

/** What the fields make another of a feed: what nobody touched is not sent. Empty: nothing. */
export function changesOf(feed: Feed, fields: FeedFields): Change {
  const before = definitionOf(feedFields(feed))
  const after = definitionOf(fields)
  const changed = (Object.keys(after) as (keyof Definition)[]).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}

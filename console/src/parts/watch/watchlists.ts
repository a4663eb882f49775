/** Watchlists of the caller, and words for what they watch (decisions 13.1). */

import type { paths } from '../../api/schema.d.ts'

export type Watchlist =
  paths['/api/casework/v1/watchlists']['get']['responses'][200]['content']['application/json'][number]
export type WatchItem = Watchlist['items'][number]
export type ItemKind = WatchItem['kind']

/** What an item of each kind watches: a name to choose by, and the beginning of a sentence. */
export const ITEM_KINDS: Readonly<Record<ItemKind, { label: string; hint: string }>> = {
  entity: { label: 'Entity', hint: 'the id of one entity' },
  value: { label: 'Value', hint: 'an address, a name, a hash … exactly as written' },
  tag: { label: 'Tag', hint: 'entities with this tag' },
  type: { label: 'Type', hint: 'entities of this type, such as ip or domain' },
  cidr: { label: 'Network', hint: 'addresses and networks inside, such as 203.0.113.0/24' },
  suffix: { label: 'Names below', hint: 'example.com includes a.example.com' },
  selector: { label: 'Selector', hint: 'a selector as JSON, as in feeds' },
  match: { label: 'Match', hint: 'matches of your telemetry: {} for all, or a selector as JSON' },
}

/** What an item names, as text. */
export const watchedText = ({ value }: Pick<WatchItem, 'value'>): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

import { isObject, textOf } from '../document.ts'
import type { FeedItem, FeedOptions } from '../item.ts'
import { eventsOf, mispEvents } from './event.ts'

/** Most places of one event: attributes and objects, with what they name beside them. */
export const MAX_EVENT_ITEMS = 500_000

/**
 * What the event of a file `<uuid>.json` says (decisions 15.4).
 * @throws when the document is not one event, is another one than its name says, or has more than 500,000 places
 */
export function eventNamed(uuid: string, document: unknown, options: FeedOptions): FeedItem[] {
  const events = eventsOf(document)
  if (events.length !== 1) throw new Error(`it has ${events.length} events; expected one`)
  const own = textOf(isObject(events[0]) ? events[0].uuid : undefined).toLowerCase()
  if (own !== uuid) throw new Error(own === '' ? 'the event has no uuid' : 'its uuid is not that of its name')
  const items: FeedItem[] = []
  for (const item of mispEvents(document, options)) {
    if (items.length === MAX_EVENT_ITEMS) throw new Error(`it has more than ${MAX_EVENT_ITEMS} attributes and objects`)
    items.push(item)
  }
  return items
}

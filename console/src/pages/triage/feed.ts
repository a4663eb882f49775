import type { paths } from '../../api/schema.d.ts'

export type Item =
  paths['/api/analytics/v1/recent']['get']['responses'][200]['content']['application/json']['items'][number]

/** The filters that the page applies; empty text and 0 filter nothing. */
export type Narrowing = { type: string; accuracy: number; tag: string; text: string }

/** Most that the platform answers. */
export const LIMIT = 100

/** Whether an item is to be shown: type exactly, accuracy at least, the beginning of a tag, a part of value or tags. */
export function matches(item: Item, { type, accuracy, tag, text }: Narrowing): boolean {
  if (type !== '' && item.type !== type) return false
  if (item.accuracy < accuracy) return false
  const wantedTag = tag.trim().toLowerCase()
  if (wantedTag !== '' && !item.tags.some((one) => one.startsWith(wantedTag))) return false
  const wanted = text.trim().toLowerCase()
  return wanted === '' || item.value.toLowerCase().includes(wanted) || item.tags.some((one) => one.includes(wanted))
}

/** The items on the screen with their latest values; no item appears, disappears or moves. */
export function withLatest(read: readonly Item[], latest: readonly Item[]): Item[] {
  const now = new Map(latest.map((item) => [item.id, item]))
  return read.map((item) => now.get(item.id) ?? item)
}

/** The waiting changes: items that are not on the screen, and items that were seen again. */
export function pendingItems(read: readonly Item[], latest: readonly Item[]): { arrived: Item[]; again: Item[] } {
  const known = new Map(read.map((item) => [item.id, item]))
  return {
    arrived: latest.filter(({ id }) => !known.has(id)),
    again: latest.filter(({ id, last_seen }) => known.has(id) && known.get(id)!.last_seen < last_seen),
  }
}

/** `12 new, 3 seen again`; null when nothing waits. A full page of new ones may be more. */
export function newsText(arrived: number, again: number): string | null {
  const parts = [
    arrived > 0 ? `${arrived}${arrived >= LIMIT ? '+' : ''} new` : null,
    again > 0 ? `${again} seen again` : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(', ')
}

/** The fields of a new item, and the item that they say (decisions 13.1). */

import { refang } from '../../../../../schemas/intelligence/ingest/refang.ts'
import type { ItemKind } from '../../../parts/watch/watchlists.ts'

export type ItemFields = { kind: ItemKind; value: string; type: string; reputation: string }

export const NO_ITEM: ItemFields = { kind: 'value', value: '', type: '', reputation: '' }

export type NewItem = {
  kind: ItemKind
  value: string | Record<string, unknown>
  type?: string
  max_reputation?: number
}

/** Kinds that name one type, or several, by themselves. */
const WITHOUT_TYPE: readonly ItemKind[] = ['entity', 'type', 'selector', 'match']
export const takesType = (kind: ItemKind): boolean => !WITHOUT_TYPE.includes(kind)

/** Kinds whose value is a selector. */
export const takesSelector = (kind: ItemKind): boolean => kind === 'selector' || kind === 'match'

/** The item, or what is wrong with the value. Values are pasted defanged. The platform checks the rest. */
export function itemOf({ kind, value, type, reputation }: ItemFields): { item: NewItem } | { fault: string } {
  const text = value.trim()
  if (text === '') return { fault: 'Enter what to watch.' }
  const options = {
    ...(takesType(kind) && type.trim() !== '' ? { type: type.trim() } : {}),
    ...(reputation === '' ? {} : { max_reputation: Number(reputation) }),
  }
  if (takesSelector(kind)) {
    const selector = objectIn(text)
    if (selector === null)
      return { fault: 'This is not a JSON object. Example: {"types":["ip"],"tags":{"any":["c2"]}}' }
    return { item: { kind, value: selector, ...options } }
  }
  const plain = kind === 'value' || kind === 'cidr' || kind === 'suffix' ? refang(text) : text
  return { item: { kind, value: plain, ...options } }
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

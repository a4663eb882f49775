/** An answer that fits: what does not is left out whole, item by item (decisions 16.4). Pure. */

import { cleaned } from './cleaned.ts'

/** Longest answer, as the body of an HTTP response, in bytes. */
export const MAX_ANSWER_BYTES = 32 * 1024

/** How many items of each list are shown. */
export type Shown = Readonly<Record<string, number>>

/** What a tool has found. */
export type Found = {
  /** Always in the answer. */
  head: Readonly<Record<string, unknown>>
  /** Lists by name, in the order in which they have room. */
  lists: Readonly<Record<string, readonly unknown[]>>
  /** Where to go on, from what is shown; of a truncated answer also how to ask for what was left out. */
  tail?: (shown: Shown, truncated: boolean) => Readonly<Record<string, unknown>>
}

/** The same answer as a value, and as text. */
export type Packed = { value: Record<string, unknown>; text: string }

/** Tags of markup stay inside of the text, whatever a client builds around it. */
const textOf = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** Bytes that a value takes in a body that has it as JSON and as text. */
function costOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + Buffer.byteLength(JSON.stringify(textOf(value)))
}

/** Commas between items, in both forms. */
const COMMAS = 2

/**
 * The answer within so many bytes of a body, with as many items of each list as there is room for; null when not even its
 * head has room.
 */
export function packed(found: Found, room: number): Packed | null {
  const lists = Object.entries(found.lists).map(([name, items]) => [name, items.map(cleaned)] as const)
  const whole = answered(found, lists, Object.fromEntries(lists.map(([name, items]) => [name, items.length])), room)
  if (whole !== null) return whole
  const shown = Object.fromEntries(lists.map(([name]) => [name, 0]))
  let left = room - costOf(answerOf(found, lists, shown))
  for (const [name, items] of lists)
    for (const item of items) {
      const cost = costOf(item) + COMMAS
      if (cost > left) break
      left -= cost
      shown[name]!++
    }
  // The tail says other things of other numbers.
  for (;;) {
    const answer = answered(found, lists, shown, room)
    if (answer !== null) return answer
    const last = lists.findLast(([name]) => shown[name]! > 0)
    if (last === undefined) return null
    shown[last[0]]!--
  }
}

/** With so many items; null when that has no room. */
function answered(found: Found, lists: Lists, shown: Shown, room: number): Packed | null {
  const value = answerOf(found, lists, shown)
  return costOf(value) <= room ? { value, text: textOf(value) } : null
}

type Lists = readonly (readonly [string, readonly unknown[]])[]

function answerOf({ head, tail }: Found, lists: Lists, shown: Shown): Record<string, unknown> {
  const omitted = lists.flatMap(([name, items]) => {
    const left = items.length - shown[name]!
    return left === 0 ? [] : [[name, left] as const]
  })
  const truncated = omitted.length > 0
  return {
    ...(cleaned(head) as Record<string, unknown>),
    ...Object.fromEntries(lists.map(([name, items]) => [name, items.slice(0, shown[name])])),
    truncated,
    ...(truncated && { omitted: Object.fromEntries(omitted) }),
    ...tail?.(shown, truncated),
  }
}

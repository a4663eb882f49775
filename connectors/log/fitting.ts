import type { LogMessage } from './port.ts'

/**
 * How many messages from `first` on one batch takes: `maxRecords` at most, and about `maxBytes` of keys and values, but
 * one at least; 0 where there are none.
 */
export function fitting(
  messages: readonly LogMessage[],
  { maxRecords, maxBytes }: { maxRecords: number; maxBytes: number },
  first = 0,
): number {
  let bytes = 0
  let count = 0
  for (; first + count < messages.length; count++) {
    const { key, value } = messages[first + count]!
    bytes += (key?.length ?? 0) + (value?.length ?? 0)
    if (count >= maxRecords || (count > 0 && bytes > maxBytes)) break
  }
  return count
}

import type { Buffer } from 'node:buffer'
import { isWord, numberOf } from '../bytes/read.ts'
import type { Words } from './words.ts'

/** Commands that would change something: each is refused, and the data that comes with it is passed over. */

/** More than a server of this protocol stores: nothing of it is kept, but it is waited for. */
export const MAX_DATA_BYTES = 134_217_728

/** Which word has the length of the data. */
const STORES: ReadonlyMap<string, number> = new Map([
  ...['set', 'add', 'replace', 'append', 'prepend', 'cas'].map((name) => [name, 4] as const),
  ['ms', 2],
])
/** Words of the shortest line of a command without data; in one that is longer the last may be `noreply`. */
const CHANGES: ReadonlyMap<string, number> = new Map([
  ['delete', 2],
  ['touch', 3],
  ['incr', 3],
  ['decr', 3],
  ['flush_all', 1],
  ['gat', 3],
  ['gats', 3],
  ['md', 2],
  ['ma', 2],
])

/** `dataBytes`: to be passed over before the refusal; 0 of a command without data. `none`: no such command. */
export type Refused =
  | { kind: 'store'; dataBytes: number; isSilent: boolean }
  | { kind: 'change'; isSilent: boolean }
  /** A store whose length cannot be read: where its data ends is not known. */
  | { kind: 'lost'; isSilent: boolean }
  | { kind: 'none' }

/** What becomes of a line that begins with `name`. Meta commands have no `noreply`, and their `q` hides no error. */
export function refused(name: string, bytes: Buffer, { starts, ends, count }: Words): Refused {
  const isLast = count > 0 && isWord(bytes, starts[count - 1]!, ends[count - 1]!, 'noreply')
  const at = STORES.get(name)
  if (at !== undefined) {
    const isSilent = name !== 'ms' && isLast && count > at + 1
    const dataBytes = count > at ? numberOf(bytes, starts[at]!, ends[at]!) : -1
    if (dataBytes < 0 || dataBytes > MAX_DATA_BYTES) return { kind: 'lost', isSilent }
    return { kind: 'store', dataBytes, isSilent }
  }
  const least = CHANGES.get(name)
  if (least === undefined || count < least) return { kind: 'none' }
  return { kind: 'change', isSilent: !name.startsWith('m') && isLast && count > least }
}

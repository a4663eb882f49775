/** Heads of chains as people keep them: `<partition>:<count>:<hash>` (decisions 16.2). */

import type { Head } from './record.ts'
import type { chainOf } from './verify.ts'

const FORM = /^(\d{1,6}):(\d{1,15}):([0-9a-f]{64})$/

export const headText = ({ partition, count, hash }: Head): string => `${partition}:${count}:${hash.toString('hex')}`

/** null: it is no head. */
export function readHead(text: string): Head | null {
  const [, partition, count, hash] = FORM.exec(text) ?? []
  return hash === undefined
    ? null
    : { partition: Number(partition), count: Number(count), hash: Buffer.from(hash, 'hex') }
}

/** What speaks against a head that was kept; null: the chain goes on from it. */
export function againstHead(kept: Head, chain: Pick<ReturnType<typeof chainOf>, 'head' | 'hashAt'>): string | null {
  const { count } = chain.head()
  if (count < kept.count) return `partition ${kept.partition} has ${count} records, and had ${kept.count}`
  if (chain.hashAt(kept.count)?.equals(kept.hash) === true) return null
  return `partition ${kept.partition} is another chain than the one that had ${kept.count} records`
}

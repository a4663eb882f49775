import { againstHead, headText } from '../../../schemas/audit/heads.ts'
import type { Head } from '../../../schemas/audit/record.ts'
import { chainOf, type Fault } from '../../../schemas/audit/verify.ts'
import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import { type AuditContext, auditDecoder } from './records.ts'

export type VerifyOptions = {
  /** Heads that were kept earlier. */
  kept: readonly Head[]
  signal: AbortSignal
}

export type Verified = {
  partition: number
  /** Messages that were read; more than the chain has where some stand twice. */
  messages: number
  head: Head
  /** The first one, and heads that do not match. */
  faults: string[]
}

/** Checks the chain of each partition from its first message to the end that the topic has now. */
export async function verifyChains(context: AuditContext, { kept, signal }: VerifyOptions): Promise<Verified[]> {
  const bounds = (await context.log.offsets(AUDIT_EVENTS)).toSorted((a, b) => a.partition - b.partition)
  const missing = kept.find(({ partition }) => !bounds.some((one) => one.partition === partition))
  const verified: Verified[] = []
  for (const { partition, low, high } of bounds)
    verified.push(
      await verifyPartition(
        context,
        { partition, low, high },
        kept.filter((head) => head.partition === partition),
        signal,
      ),
    )
  if (missing !== undefined)
    verified.push({
      partition: missing.partition,
      messages: 0,
      head: { ...missing, count: 0, hash: Buffer.alloc(missing.hash.length) },
      faults: [`partition ${missing.partition} is missing`],
    })
  return verified
}

async function verifyPartition(
  { log, registry }: AuditContext,
  { partition, low, high }: { partition: number; low: number; high: number },
  kept: readonly Head[],
  signal: AbortSignal,
): Promise<Verified> {
  const decode = auditDecoder(registry)
  const chain = chainOf(
    partition,
    kept.map(({ count }) => count),
  )
  let next = low
  let messages = 0
  let fault: Fault | null = null
  try {
    for await (const some of log.scan(AUDIT_EVENTS, partition, low, high)) {
      signal.throwIfAborted()
      const decoded = await decode(some)
      for (let i = 0; i < some.length && fault === null; i++) {
        const { offset, key, headers } = some[i]!
        fault = chain.add({ offset, key, headers, decoded: decoded[i]! })
        if (fault !== null) break
        next = offset + 1
        messages++
      }
      if (fault !== null) break
    }
  } catch (error) {
    // The log has checksums of its own: what it cannot read begins at the next record.
    signal.throwIfAborted()
    fault = { partition, offset: next, reason: (error as Error).message }
  }
  const faults = fault === null ? [] : [`partition ${partition} offset ${fault.offset}: ${fault.reason}`]
  if (fault === null && next < high)
    faults.push(`partition ${partition} offset ${next}: the records up to ${high} are missing`)
  for (const head of kept) {
    const against = againstHead(head, chain)
    if (against !== null) faults.push(against)
  }
  return { partition, messages, head: chain.head(), faults }
}

/** The same for a program. */
export const shownVerified = ({ partition, messages, head, faults }: Verified) => ({
  partition,
  records: head.count,
  messages,
  whole: faults.length === 0,
  head: headText(head),
  faults,
})

/** What `verify` prints of a partition. */
export const verifiedText = ({ partition, messages, head, faults }: Verified): string => {
  const state = faults.length === 0 ? 'whole' : 'WRONG'
  const repeats = messages > head.count ? ` (${messages - head.count} are repeated)` : ''
  const lines = [`partition ${partition}: ${head.count} records${repeats}, ${state}, head ${headText(head)}`]
  return [...lines, ...faults.map((fault) => `  ${fault}`)].map((line) => `${line}\n`).join('')
}

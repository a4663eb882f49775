import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import type { SearchAddress } from '../question/address.ts'
import { BulkAnswer } from './BulkAnswer.tsx'
import { readPasted } from './pasted.ts'
import { QuickAnswer } from './QuickAnswer.tsx'
import { QuickBox } from './QuickBox.tsx'

export type Go = (to: Partial<SearchAddress>) => void

/** The one box, and what it found: one value with all that carries it, or a table of many. */
export function Quick({ address, go }: { address: SearchAddress; go: Go }) {
  const pasted = useMemo(() => readPasted(address.q), [address.q])
  return (
    <>
      {/* Another question is another box: what was typed and not asked is given up. */}
      <QuickBox key={address.q} address={address} go={go} />
      {'values' in pasted ? (
        <BulkAnswer key={address.q} {...pasted} />
      ) : pasted.one === '' ? (
        <EmptyState title="What do you have?">
          <Text size="sm">
            An address or network, a domain, a URL, a hash, a mail address, a CVE, an AS number, or words. Defanged
            values are read as they were meant; up to 10,000 lines are looked up at once.
          </Text>
        </EmptyState>
      ) : (
        <QuickAnswer address={address} go={go} text={pasted.one} />
      )}
    </>
  )
}

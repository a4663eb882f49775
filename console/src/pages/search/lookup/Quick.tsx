import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import type { Go, SearchAddress } from '../question/address.ts'
import { BulkResults } from './BulkResults.tsx'
import { readPasted } from './pasted.ts'
import { QuickBox } from './QuickBox.tsx'
import { QuickResults } from './QuickResults.tsx'
import { TextResults } from './TextResults.tsx'

/** The search box and its results: one value with its matches, or a table of many values, of a list or out of a text. */
export function Quick({ address, go }: { address: SearchAddress; go: Go }) {
  const pasted = useMemo(() => readPasted(address.q), [address.q])
  return (
    <>
      {/* A new search resets the box: text that was typed but not searched for is dropped. */}
      <QuickBox key={address.q} address={address} go={go} />
      {'extraction' in pasted && address.as === null ? (
        <TextResults key={address.q} of={pasted.extraction} asWords={() => go({ as: 'text' })} />
      ) : 'extraction' in pasted ? (
        <QuickResults address={address} go={go} text={address.q.trim()} />
      ) : 'values' in pasted ? (
        <BulkResults key={address.q} {...pasted} />
      ) : pasted.one === '' ? (
        <EmptyState title="Enter an indicator">
          <Text size="sm">
            An IP address or network, a domain, a URL, a hash, an email address, a CVE, an AS number or any text.
            Defanged values are accepted. You can look up 10,000 lines at once, or paste a text: a log, a mail or a
            report. Its indicators are looked up.
          </Text>
        </EmptyState>
      ) : (
        <QuickResults address={address} go={go} text={pasted.one} />
      )}
    </>
  )
}

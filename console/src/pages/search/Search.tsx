import { Group, SegmentedControl } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import { Notice } from '../../parts/feedback/Notice.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { Advanced } from './advanced/Advanced.tsx'
import { Quick } from './lookup/Quick.tsx'
import { addressOf, MAX_ADDRESS, readAddress, type SearchAddress } from './question/address.ts'
import { sortFieldFor } from './question/fields.ts'
import { SavedSearches } from './saved/Saved.tsx'

/** `/search`: one box for pasted values, and a builder for all other searches. The URL holds the search. */
export default function Search() {
  const search = useSearch()
  const [, navigate] = useLocation()
  // A search that is too long for a URL; the next URL replaces it.
  const [held, setHeld] = useState<SearchAddress | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is the reason
  useEffect(() => setHeld(null), [search])
  const address = useMemo(() => held ?? readAddress(search), [held, search])
  const go = (to: Partial<SearchAddress>): void => {
    const next = { ...address, page: 1, after: null, ...to }
    const url = addressOf(next)
    if (url.length > MAX_ADDRESS) setHeld(next)
    else {
      setHeld(null)
      navigate(url)
    }
  }
  return (
    <Page
      title="Search"
      about="Paste indicators, or build an exact search."
      controls={<SavedSearches address={address} go={go} />}
    >
      <Group gap="sm">
        <SegmentedControl
          aria-label="Search mode"
          value={address.mode}
          onChange={(mode) => go({ mode: mode as SearchAddress['mode'] })}
          data={[
            { value: 'quick', label: 'Quick' },
            { value: 'advanced', label: 'Advanced' },
          ]}
        />
        <SegmentedControl
          aria-label="Data to search"
          value={address.index}
          onChange={(to) =>
            go({ index: to as SearchAddress['index'], sort: sortFieldFor(to as SearchAddress['index'], address.sort) })
          }
          data={[
            { value: 'entities', label: 'Current entities' },
            { value: 'history', label: 'History' },
          ]}
        />
      </Group>
      {held && (
        <Notice title="Not part of the address">
          This search is too long for an address. It is lost when you reload the page, and a link cannot share it.
        </Notice>
      )}
      {address.mode === 'quick' ? <Quick address={address} go={go} /> : <Advanced address={address} go={go} />}
    </Page>
  )
}

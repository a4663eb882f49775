import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { SEARCH_BOX } from './search-box.ts'

/** The box in the header. What it finds is a page that can be linked to: `/search?q=`. */
export function QuickSearch() {
  const [text, setText] = useState('')
  const [, go] = useLocation()
  return (
    <search style={{ flex: 1, minWidth: 0 }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') go(`/search?q=${encodeURIComponent(text.trim())}`)
          setText('')
        }}
      >
        <TextInput
          id={SEARCH_BOX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
          placeholder="Address, domain, URL, hash …"
          aria-label="Search for a value"
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={8_000}
          maw={520}
          mx="auto"
        />
      </form>
    </search>
  )
}

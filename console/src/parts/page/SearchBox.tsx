import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'

/**
 * A box whose answer is a page that can be linked to: `/search?q=`. The one in the header has an
 * `id`, which keys find; another one on the page has a `label` of its own.
 */
export function SearchBox({ id, label }: { id?: string; label?: string }) {
  const [text, setText] = useState('')
  const [, go] = useLocation()
  return (
    <search style={{ flex: 1, minWidth: 0 }} aria-label={label}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') go(`/search?q=${encodeURIComponent(text.trim())}`)
          setText('')
        }}
      >
        <TextInput
          {...(id && { id })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
          placeholder="Address, domain, URL, hash …"
          aria-label={label ?? 'Search for a value'}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={8_000}
          maw={520}
          mx="auto"
        />
      </form>
    </search>
  )
}

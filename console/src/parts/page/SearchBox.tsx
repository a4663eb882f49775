import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'

/**
 * A box whose answer is a page that can be linked to: `/search?q=`. `label` tells several on one page apart; the one in
 * the header has an `id`, which keys find.
 */
export function SearchBox({ id, label = 'Search for a value' }: { id?: string; label?: string }) {
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
          aria-label={label}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={8_000}
          maw={520}
          mx="auto"
        />
      </form>
    </search>
  )
}

import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { recognise } from '../../../parts/indicators/recognise.ts'
import type { Go, SearchAddress } from '../question/address.ts'
import { extractionTitle } from './extraction.ts'
import { MAX_PASTED, readPasted } from './pasted.ts'

const MOST_ROWS = 10
/** UTF-16 code units. */
const LARGE = 5_000

/** The search box. It says what it recognised in the pasted text. Enter searches, then opens the first hit. */
export function QuickBox({ address, go }: { address: SearchAddress; go: Go }) {
  const [text, setText] = useState(address.q)
  const seen = useDeferredValue(text)
  const says = useMemo(() => describeInput(seen), [seen])
  const rows = useMemo(() => linesOf(text), [text])
  const submit = () => {
    // The same text again: a second Enter opens the first hit.
    if (text === address.q) document.querySelector<HTMLAnchorElement>('[data-first-hit]')?.click()
    else if (text.trim() !== '') go({ q: text, as: null })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap={6}>
        <Group gap="xs" align="start" wrap="nowrap">
          <Textarea
            style={{ flex: 1, minWidth: 0 }}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            aria-label="Indicator or text"
            aria-describedby="taken-for"
            placeholder="198[.]51[.]100[.]7, evil.example, hxxps://…, a hash, CVE-2026-…, AS64500, text; or many lines of a log"
            value={text}
            rows={rows}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setText(event.currentTarget.value.slice(0, MAX_PASTED))}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text/plain')
              if (pasted.length < LARGE) return
              // Browsers insert many lines one by one, which takes minutes; one change is fast.
              event.preventDefault()
              const { selectionStart, selectionEnd } = event.currentTarget
              setText((text.slice(0, selectionStart) + pasted + text.slice(selectionEnd)).slice(0, MAX_PASTED))
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              submit()
            }}
          />
          <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
            Search
          </Button>
        </Group>
        <Text size="xs" c="dimmed" id="taken-for" aria-live="polite" data-testid="reads">
          {says}
        </Text>
      </Stack>
    </form>
  )
}

function linesOf(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && lines < MOST_ROWS; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

function describeInput(text: string): string {
  if (text.trim() === '') return 'Press Enter to search, Shift+Enter for a new line.'
  const cut = text.length === MAX_PASTED ? ' Only the first million characters are used.' : ''
  const pasted = readPasted(text)
  if ('extraction' in pasted) return `${extractionTitle(pasted.extraction)}.${cut}`
  if ('values' in pasted) return `${pasted.values.length.toLocaleString('en')} different values.${cut}`
  const { label, defanged } = recognise(pasted.one)
  return `Recognised as: ${label}${defanged ? ', defanged' : ''}.${cut}`
}

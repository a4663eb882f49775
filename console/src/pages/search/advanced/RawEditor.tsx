import { Text, Textarea } from '@mantine/core'
import { useMemo, useRef } from 'react'
import { parseJson, type TextPosition } from './json-position.ts'
import './RawEditor.css'

type Props = {
  text: string
  change: (text: string) => void
  send: () => void
  /** The platform's message about the text, and its position. */
  refused: { position: TextPosition | null; message: string } | null
}

const MIN_LINES = 8
const MAX_LINES = 22
const MOST = 300_000
/** Longer texts go without numbers beside them. */
const MOST_NUMBERED = 5_000

/** A JSON editor with line numbers. It shows a syntax error and its position while the user types. */
export function RawEditor({ text, change, send, refused }: Props) {
  const gutter = useRef<HTMLPreElement>(null)
  const parsed = useMemo(() => parseJson(text), [text])
  const fault = 'message' in parsed ? parsed : refused
  const lines = useMemo(() => text.split('\n').length, [text])
  const rows = Math.min(MAX_LINES, Math.max(MIN_LINES, lines))
  return (
    <div>
      <div className="json">
        <pre ref={gutter} aria-hidden style={{ height: `calc(${rows} * 1.25rem + 1rem)` }}>
          {Array.from({ length: lines > MOST_NUMBERED ? 0 : lines }, (_, i) => i + 1).map((line) => (
            <span key={line} data-fault={fault?.position?.line === line || undefined}>
              {line}
              {'\n'}
            </span>
          ))}
        </pre>
        <Textarea
          aria-label="Body of the search as JSON"
          aria-describedby="json-fault"
          aria-invalid={fault !== null}
          value={text}
          rows={rows}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => change(event.currentTarget.value.slice(0, MOST))}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            send()
          }}
        />
      </div>
      <Text size="sm" mt={4} id="json-fault" role={fault ? 'alert' : undefined} data-testid="json-fault">
        {fault
          ? `${fault.position ? `Line ${fault.position.line}, column ${fault.position.column}: ` : ''}${fault.message}`
          : 'Valid JSON.'}
      </Text>
    </div>
  )
}

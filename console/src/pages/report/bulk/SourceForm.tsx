import { Button, Code, FileButton, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { MAX_BYTES, MAX_LINES, type ParsedInput, parseInput } from './read.ts'

/** A text box gets slow with more; such a paste is read at once. */
const MAX_TYPED = 200_000

/** Takes a paste or a file. */
export function SourceForm({ take }: { take: (file: ParsedInput) => void }) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [over, setOver] = useState(false)

  function read(given: string): void {
    const file = parseInput(given)
    if (file.rows.length === 0) setFault('There is no line with content.')
    else take(file)
  }
  async function open(file: File | null): Promise<void> {
    if (file === null) return
    if (file.size > MAX_BYTES) setFault(TOO_LARGE)
    else read(await file.text())
  }
  function onType(given: string): void {
    setFault(null)
    if (new Blob([given]).size > MAX_BYTES) setFault(TOO_LARGE)
    else if (given.length > MAX_TYPED) read(given)
    else setText(given)
  }
  return (
    <Paper
      withBorder
      p="md"
      style={over ? { outline: '2px dashed var(--mantine-primary-color-filled)' } : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void open(event.dataTransfer.files[0] ?? null)
      }}
    >
      <Stack gap="sm">
        <Textarea
          label="Lines"
          description="One value per line, CSV with a header (value, type, tags, reputation or attribute names), or one JSON object per line. Of any other text, such as a log or a report, the indicators are taken. Defanged values are accepted."
          placeholder={'198[.]51[.]100[.]7\nhxxps://evil[.]example/login\nd41d8cd98f00b204e9800998ecf8427e'}
          value={text}
          onChange={(event) => onType(event.currentTarget.value)}
          rows={12}
          spellCheck={false}
          autoComplete="off"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group gap="sm">
          <Button onClick={() => read(text)} disabled={text.trim() === ''}>
            Read the lines
          </Button>
          <FileButton onChange={(file) => void open(file)} accept=".txt,.csv,.json,.jsonl,.ndjson,.tsv,text/*">
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconFileImport size={16} aria-hidden />}>
                Choose a file
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            or drop a file here
          </Text>
        </Group>
        {fault !== null && <ErrorAlert error={fault} />}
        <Text size="sm" c="dimmed">
          Up to {MAX_LINES.toLocaleString('en')} lines and {MAX_BYTES / 1_000_000} MB. For more, use{' '}
          <Code>harrier feed import</Code>.
        </Text>
      </Stack>
    </Paper>
  )
}

const TOO_LARGE = `The text is larger than ${MAX_BYTES / 1_000_000} MB. Use harrier feed import instead.`

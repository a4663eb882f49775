import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { ClaimFields } from '../ClaimFields.tsx'
import { type Definition, optionsOf } from '../definitions.ts'
import type { Claim } from '../draft.ts'
import { bodyOfLine } from './body.ts'
import { LineTable } from './LineTable.tsx'
import { type InputLine, MAX_LINES, type ParsedInput } from './read.ts'
import type { LineBody } from './sender.ts'

type Props = {
  definitions: readonly Definition[]
  file: ParsedInput
  claim: Claim
  setClaim: (claim: Claim) => void
  /** Sends the lines that are ticked. */
  send: (rows: readonly InputLine[], jobs: readonly LineBody[]) => void
  again: () => void
  /** Goes on with the input read in another way. */
  use: (file: ParsedInput) => void
}

const FORMATS = { lines: 'Plain lines', csv: 'CSV with a header', jsonl: 'JSON lines', text: 'Indicators of a text' }
const AS_RECOGNISED = 'Recognise each line'

/** The recognised types, and the claims for all lines. */
export function Plan({ definitions, file, claim, setClaim, send, again, use }: Props) {
  const [type, setType] = useState<string | null>(null)
  const jobs = useMemo(() => file.rows.map((row) => bodyOfLine(row, type, claim)), [file, type, claim])
  const [unticked, setUnticked] = useState<ReadonlySet<number>>(new Set())
  const isTicked = (_: unknown, index: number): boolean => !unticked.has(index)
  const sendable = jobs.filter(isTicked).filter((job) => typeof job !== 'string').length
  const unit = file.format === 'text' ? 'indicator' : 'line'
  const types = useMemo(() => optionsOf(definitions), [definitions])
  function toggle(index: number): void {
    const next = new Set(unticked)
    if (!next.delete(index)) next.add(index)
    setUnticked(next)
  }
  return (
    <Stack gap="md">
      <Text size="sm" role="status" data-testid="recognised">
        {FORMATS[file.format]}: {file.rows.length.toLocaleString('en')} {unit}
        {file.rows.length === 1 ? '' : 's'}. {typeCounts(jobs)}
        {(file.left ?? []).length > 0 && ` Left out: ${file.left!.join(', ')}.`}
      </Text>
      {file.cut > 0 && (
        <Alert color="yellow" variant="light" title="Too many lines">
          The first {MAX_LINES.toLocaleString('en')} lines are used, {file.cut.toLocaleString('en')} lines are ignored.
          To import all of them, use harrier feed import.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ClaimFields claim={claim} change={setClaim} fault={null} />
        <Stack gap="md">
          <Select
            label="Type of all lines"
            description="Values in a line take precedence over the values set here, except for the type."
            data={[{ value: '', label: AS_RECOGNISED }, ...types]}
            value={type ?? ''}
            onChange={(to) => setType(to || null)}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No such type"
          />
          <Group gap="sm">
            <Button onClick={() => send(file.rows.filter(isTicked), jobs.filter(isTicked))} disabled={sendable === 0}>
              Report {sendable.toLocaleString('en')} {unit}
              {sendable === 1 ? '' : 's'}
            </Button>
            <Button variant="default" onClick={again}>
              Use other lines
            </Button>
            {file.asLines !== undefined && (
              <Button variant="subtle" onClick={() => use(file.asLines!)}>
                Take each line as one value
              </Button>
            )}
          </Group>
        </Stack>
      </SimpleGrid>
      <Title order={2} size="h4">
        {file.format === 'text' ? 'Indicators' : 'Lines'}
      </Title>
      <LineTable
        rows={file.rows}
        jobs={jobs}
        outcomes={null}
        {...(file.format === 'text' ? { choice: { unticked, toggle } } : {})}
      />
    </Stack>
  )
}

/** `120 ip, 77 domain, 3 that cannot be sent.` */
function typeCounts(jobs: readonly LineBody[]): string {
  const counts = new Map<string, number>()
  for (const job of jobs) {
    const name = typeof job === 'string' ? 'that cannot be sent' : String(job.type)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const all = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
  return `${all.join(', ')}.`
}

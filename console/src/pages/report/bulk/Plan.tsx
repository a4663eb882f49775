import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { ClaimFields } from '../ClaimFields.tsx'
import { type Definition, optionsOf } from '../definitions.ts'
import type { Claim } from '../draft.ts'
import { bodyOfLine } from './body.ts'
import { LineTable } from './LineTable.tsx'
import { MAX_LINES, type ParsedInput } from './read.ts'
import type { LineBody } from './sender.ts'

type Props = {
  definitions: readonly Definition[]
  file: ParsedInput
  claim: Claim
  setClaim: (claim: Claim) => void
  send: (jobs: readonly LineBody[]) => void
  again: () => void
}

const FORMATS = { lines: 'Plain lines', csv: 'CSV with a header', jsonl: 'JSON lines' }
const AS_RECOGNISED = 'Recognise each line'

/** The recognised types, and the claims for all lines. */
export function Plan({ definitions, file, claim, setClaim, send, again }: Props) {
  const [type, setType] = useState<string | null>(null)
  const jobs = useMemo(() => file.rows.map((row) => bodyOfLine(row, type, claim)), [file, type, claim])
  const sendable = jobs.filter((job) => typeof job !== 'string').length
  const types = useMemo(() => optionsOf(definitions), [definitions])
  return (
    <Stack gap="md">
      <Text size="sm" role="status" data-testid="recognised">
        {FORMATS[file.format]}: {file.rows.length.toLocaleString('en')} {file.rows.length === 1 ? 'line' : 'lines'}.{' '}
        {typeCounts(jobs)}
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
            <Button onClick={() => send(jobs)} disabled={sendable === 0}>
              Report {sendable.toLocaleString('en')} {sendable === 1 ? 'line' : 'lines'}
            </Button>
            <Button variant="default" onClick={again}>
              Use other lines
            </Button>
          </Group>
        </Stack>
      </SimpleGrid>
      <Title order={2} size="h4">
        Lines
      </Title>
      <LineTable rows={file.rows} jobs={jobs} outcomes={null} />
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

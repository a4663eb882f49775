import { Badge, Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type Extraction, leftOutWords } from '../../../../../schemas/intelligence/extract/extract.ts'
import { ANSWERS, answerOf, countAnswers } from '../../../../../schemas/intelligence/extract/ranking.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { Loading } from '../../../parts/feedback/Loading.tsx'
import { Notice } from '../../../parts/feedback/Notice.tsx'
import { csv, download } from '../../../parts/format/csv.ts'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { SearchError } from '../results/SearchError.tsx'
import { BulkTable } from './BulkTable.tsx'
import { answered, extractionTitle, TEXT_COLUMNS, textCells, textJson, textOutcomes } from './extraction.ts'
import { NOT_ASKED_ABOVE, useLookup } from './queries.ts'

const PAGE = 100

/** The indicators of a text with what is known of them, worst first, each with its line. */
export function TextResults({ of, asWords }: { of: Extraction; asWords: () => void }) {
  const values = useMemo(() => [...new Set(of.indicators.map(({ value }) => value))], [of])
  const many = useLookup(values)
  const [malicious, setMalicious] = useState(false)
  const [page, setPage] = useState(1)
  const all = useMemo(() => (many.data ? textOutcomes(of, many.data) : []), [of, many.data])
  if (many.error) return <SearchError error={many.error} again={() => void many.refetch()} />
  if (!many.data) return <Loading lines={10} />
  const shown = malicious ? all.filter((one) => answerOf(answered(one)) === 'malicious') : all
  const left = leftOutWords(of.left)
  const which = `${malicious ? 'these' : 'all'} ${shown.length.toLocaleString('en')}`
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs" role="status">
          <Title order={2} size="h4" data-testid="found">
            {extractionTitle(of)}
          </Title>
          <Text size="sm" c="dimmed">
            looked up in {many.data.ms.toLocaleString('en')} ms{!many.data.askedAbove && NOT_ASKED_ABOVE}
            {left.length > 0 && `; left out: ${left.join(', ')}`}
          </Text>
        </Group>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => download('harrier-text.csv', csv(TEXT_COLUMNS, shown.map(textCells)))}
          >
            CSV of {which}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => download('harrier-text.json', textJson(shown), 'application/json')}
          >
            JSON of {which}
          </Button>
        </Group>
      </Group>
      {many.data.failed !== null && (
        <>
          <Notice title="Only some indicators were looked up">The rest was refused for the reason below.</Notice>
          <SearchError error={many.data.failed} again={() => void many.refetch()} />
        </>
      )}
      <Group gap="sm" justify="space-between">
        <Group gap="xs" data-testid="verdicts">
          {countAnswers(all.map(answered)).map(([kind, count]) => (
            <Badge
              key={kind}
              tt="none"
              variant={kind === 'malicious' ? 'filled' : 'outline'}
              color={kind === 'malicious' ? 'red.9' : 'gray'}
              c={kind === 'malicious' ? 'white' : 'var(--mantine-color-text)'}
            >
              {ANSWERS[kind]} {count.toLocaleString('en')}
            </Badge>
          ))}
        </Group>
        <Group gap="md">
          <Checkbox
            label="Malicious only"
            checked={malicious}
            onChange={(event) => {
              setMalicious(event.currentTarget.checked)
              setPage(1)
            }}
          />
          <Button size="xs" variant="subtle" onClick={asWords}>
            Search for the text as it is
          </Button>
        </Group>
      </Group>
      {shown.length === 0 ? (
        <EmptyState title="Nothing malicious">
          <Text size="sm">No indicator of the text has a negative reputation.</Text>
        </EmptyState>
      ) : (
        <BulkTable rows={shown.slice((page - 1) * PAGE, page * PAGE)} />
      )}
      <Pager page={page} pages={Math.ceil(shown.length / PAGE)} items={shown.length} change={setPage} />
    </Stack>
  )
}

import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Loading } from '../../../parts/feedback/Loading.tsx'
import { Notice } from '../../../parts/feedback/Notice.tsx'
import { csv, download } from '../../../parts/format/csv.ts'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { SearchError } from '../results/SearchError.tsx'
import { BulkTable } from './BulkTable.tsx'
import { BULK_COLUMNS, bulkCells, LOOKUP_STATES, type LookupState, outcomes } from './outcomes.ts'
import type { PastedInput } from './pasted.ts'
import { NOT_ASKED_ABOVE, useLookup } from './queries.ts'

const PAGE = 100

/** The results for many values, with their scores, in the order in which they were pasted. */
export function BulkResults({ values, left }: Extract<PastedInput, { values: string[] }>) {
  const many = useLookup(values)
  const [only, setOnly] = useState<LookupState | 'all'>('all')
  const [page, setPage] = useState(1)
  const all = useMemo(() => (many.data ? outcomes(values, many.data) : []), [values, many.data])
  if (many.error) return <SearchError error={many.error} again={() => void many.refetch()} />
  if (!many.data) return <Loading lines={10} />
  const counts = Object.groupBy(all, ({ state }) => state)
  const shown = only === 'all' ? all : (counts[only] ?? [])
  const found = counts.found?.length ?? 0
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs" role="status">
          <Title order={2} size="h4" data-testid="found">
            {found.toLocaleString('en')} of {values.length.toLocaleString('en')} found
          </Title>
          <Text size="sm" c="dimmed">
            in {many.data.ms.toLocaleString('en')} ms{!many.data.askedAbove && NOT_ASKED_ABOVE}
            {leftOut(left)}
          </Text>
        </Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => download('harrier-look-up.csv', csv(BULK_COLUMNS, shown.map(bulkCells)))}
        >
          CSV of {only === 'all' ? 'all' : 'these'} {shown.length.toLocaleString('en')}
        </Button>
      </Group>
      {many.data.failed !== null && (
        <>
          <Notice title="Only some values were looked up">
            The first {many.data.requested.toLocaleString('en')} values were looked up. The rest was refused for the
            reason below.
          </Notice>
          <SearchError error={many.data.failed} again={() => void many.refetch()} />
        </>
      )}
      <SegmentedControl
        aria-label="Values to show"
        size="xs"
        value={only}
        style={{ alignSelf: 'start', flexWrap: 'wrap' }}
        onChange={(to) => {
          setOnly(to as LookupState | 'all')
          setPage(1)
        }}
        data={[
          { value: 'all', label: `All ${values.length.toLocaleString('en')}` },
          ...(Object.keys(LOOKUP_STATES) as LookupState[])
            .filter((state) => counts[state] !== undefined)
            .map((state) => ({
              value: state,
              label: `${LOOKUP_STATES[state]} ${counts[state]!.length.toLocaleString('en')}`,
            })),
        ]}
      />
      <BulkTable rows={shown.slice((page - 1) * PAGE, page * PAGE)} />
      <Pager page={page} pages={Math.ceil(shown.length / PAGE)} items={shown.length} change={setPage} />
    </Stack>
  )
}

function leftOut({ repeated, tooLong, tooMany }: Extract<PastedInput, { values: string[] }>['left']): string {
  const parts = [
    repeated > 0 && `${repeated.toLocaleString('en')} repeated`,
    tooLong > 0 && `${tooLong.toLocaleString('en')} too long`,
    tooMany > 0 && `${tooMany.toLocaleString('en')} beyond the first 10,000`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `; ignored: ${parts.join(', ')}`
}

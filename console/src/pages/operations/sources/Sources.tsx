import { Badge, Button, Group, List, Select, Stack, Table, Text, Title, UnstyledButton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { withName } from '../../../parts/format/ids.ts'
import { useNames } from '../../../parts/format/useNames.ts'
import { useFocusBack } from '../../../parts/page/useFocusBack.ts'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { useMay } from '../../../session/caller.ts'
import { COLUMNS, isSort, nameOf, type Scorecard, type Sort } from './columns.ts'
import { RetractDialog } from './RetractDialog.tsx'

const WINDOWS = [7, 30, 90, 365]

/** `/operations/sources?sort=&days=`: how sources do, side by side. */
export default function Sources() {
  const [parameter, setSort] = useParameter('sort')
  const [given, setDays] = useParameter('days')
  const sort = isSort(parameter) ? parameter : 'volume'
  const days = WINDOWS.find((window) => window === Number(given)) ?? 30
  const query = { sort, days, limit: 100 }
  const result = api.useQuery(
    'get',
    '/api/analytics/v1/sources',
    { params: { query } },
    { placeholderData: keepPreviousData },
  )
  return (
    <Stack gap="md">
      <Select
        label="Reports of the last"
        w={160}
        value={String(days)}
        onChange={(to) => setDays(to ?? '')}
        allowDeselect={false}
        data={WINDOWS.map((window) => ({ value: String(window), label: `${window} days` }))}
      />
      <QueryResult of={result}>
        {({ items, sources }) =>
          items.length === 0 ? (
            <EmptyState title="No source yet">There are no reports yet that you may read.</EmptyState>
          ) : (
            <>
              <Text size="sm" c="dimmed" role="status">
                {sources} {sources === 1 ? 'source' : 'sources'}
                {items.length < sources && `, of which the first ${items.length} are shown`}. Largest first.
              </Text>
              <ScorecardTable items={items} sort={sort} choose={setSort} />
            </>
          )
        }
      </QueryResult>
      <Title order={2} size="h4">
        What the figures mean
      </Title>
      <List size="sm" spacing={2}>
        {COLUMNS.map(({ label, about }) => (
          <List.Item key={label}>
            <b>{label}</b>: {about}.
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        Feeds are listed by name. Customers and users are listed by name only to themselves and to administrators; all
        others are combined by kind. Every figure covers the reports that you may read.
      </Text>
    </Stack>
  )
}

function ScorecardTable({ items, sort, choose }: { items: Scorecard[]; sort: Sort; choose: (sort: string) => void }) {
  const mayRetract = useMay('auth_admin')
  const names = useNames(items.map(({ source }) => source))
  const [retracting, setRetracting] = useState<string | null>(null)
  const opener = useFocusBack(retracting !== null)
  const head = (name: Sort, label: string) => (
    <Table.Th key={name} aria-sort={sort === name ? 'descending' : 'none'}>
      <UnstyledButton
        fw={sort === name ? 700 : 500}
        fz="sm"
        style={{ whiteSpace: 'nowrap' }}
        onClick={() => choose(name)}
      >
        {label}
        <span aria-hidden>{sort === name ? ' ↓' : ''}</span>
      </UnstyledButton>
    </Table.Th>
  )
  return (
    <>
      {retracting !== null && <RetractDialog feed={retracting} close={() => setRetracting(null)} />}
      <Table.ScrollContainer minWidth={1240} type="native" tabIndex={0} role="region" aria-label="Sources">
        <Table striped verticalSpacing={6} aria-label="Sources">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Source</Table.Th>
              {COLUMNS.map(({ sort: name, label }) => head(name, label))}
              {head('last_report', 'Last report')}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((card) => (
              <Table.Tr key={`${card.kind} ${card.source}`} data-testid="source">
                <Table.Th scope="row" fw={500} miw={170}>
                  <Group gap={6}>
                    <span style={{ overflowWrap: 'anywhere' }} title={card.source ?? undefined}>
                      {withName(nameOf(card), names)}
                    </span>
                    {card.source !== null && (
                      <Text span size="xs" c="dimmed">
                        {card.kind}
                      </Text>
                    )}
                    {card.mine && (
                      <Badge size="sm" variant="outline" c="var(--mantine-color-text)" tt="none">
                        yours
                      </Badge>
                    )}
                    {mayRetract && card.kind === 'feed' && card.source !== null && (
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={`Retract reports of ${nameOf(card)}`}
                        onClick={(event) => {
                          opener.current = event.currentTarget
                          setRetracting(nameOf(card))
                        }}
                      >
                        Retract …
                      </Button>
                    )}
                  </Group>
                </Table.Th>
                {COLUMNS.map(({ sort: name, text }) => (
                  <Table.Td key={name} ta="right">
                    {text(card)}
                  </Table.Td>
                ))}
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  {card.last_report === null ? '—' : <RelativeTime at={card.last_report} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}

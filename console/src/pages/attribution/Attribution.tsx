import { Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { searchOf } from '../../parts/figures/search-link.ts'
import { useFigureSearch } from '../../parts/figures/useFigureSearch.ts'
import { csv, download } from '../../parts/format/csv.ts'
import { choice } from '../../parts/page/choice.ts'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { DimensionPanel } from './DimensionPanel.tsx'
import { dimensions, locatedEntities } from './dimensions.ts'
import { EXPORT_COLUMNS, exportName, exportRows } from './export.ts'
import { NoLocations } from './NoLocations.tsx'
import { Total } from './Total.tsx'

const SIZES = ['10', '20', '50', '100'] as const

/** Where addresses and networks are: countries, autonomous systems and the organisations that run them. */
export default function Attribution() {
  const [namedSize, changeSize] = useParameter('size')
  const [namedScope, changeScope] = useParameter('scope')
  const size = choice(SIZES, namedSize, '20')
  const scope = choice(['malicious', 'all'], namedScope, 'malicious')
  const malicious = scope === 'malicious'
  const query = { size: Number(size), malicious_only: malicious }
  const answer = api.useQuery('get', '/api/analytics/v1/attribution', { params: { query } })
  const search = useMemo(() => searchOf(locatedEntities(malicious)), [malicious])
  const total = useFigureSearch(search).data?.items ?? null
  const nothing = answer.data && dimensions.every((dimension) => dimension.buckets(answer.data).length === 0)
  return (
    <Page
      title="Attribution"
      about="Where IP addresses and networks are located, as reported or from the built-in IP database. Select a number to see its entities."
      controls={
        <Group gap="xs">
          <SegmentedControl
            aria-label="Which entities"
            size="sm"
            value={scope}
            onChange={changeScope}
            data={[
              { value: 'malicious', label: 'Malicious' },
              { value: 'all', label: 'All' },
            ]}
          />
          <NativeSelect
            aria-label="Rows per list"
            size="sm"
            value={size}
            onChange={(event) => changeSize(event.currentTarget.value)}
            data={SIZES.map((value) => ({ value, label: `Top ${value}` }))}
          />
          <Button
            size="sm"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={!answer.data || nothing === true}
            onClick={() =>
              answer.data &&
              download(exportName(malicious, Date.now()), csv(EXPORT_COLUMNS, exportRows(answer.data, total)))
            }
          >
            CSV
          </Button>
        </Group>
      }
    >
      <QueryResult of={answer} loading={<Loading height={420} />}>
        {(attribution) =>
          nothing ? (
            <NoLocations malicious={malicious} />
          ) : (
            <Stack gap="md">
              <Text size="sm" role="status">
                <Total total={total} malicious={malicious} />
              </Text>
              {dimensions.map((dimension) => (
                <DimensionPanel
                  key={dimension.id}
                  dimension={dimension}
                  buckets={dimension.buckets(attribution)}
                  malicious={malicious}
                  total={total}
                  size={query.size}
                />
              ))}
            </Stack>
          )
        }
      </QueryResult>
    </Page>
  )
}

import { Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { searchLink } from '../../parts/figures/search-link.ts'
import { csv, download } from '../../parts/format/csv.ts'
import { choice } from '../../parts/page/choice.ts'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { DimensionPanel } from './DimensionPanel.tsx'
import { dimensions, entitiesAt } from './dimensions.ts'
import { EXPORT_COLUMNS, exportName, exportRows } from './export.ts'
import { CountryMap } from './map/CountryMap.tsx'
import { NoLocations } from './NoLocations.tsx'
import { firstDay, PERIODS } from './period.ts'
import { Total } from './Total.tsx'
import { useAttribution } from './useAttribution.ts'

const SIZES = ['10', '20', '50', '100'] as const

/** Where addresses and networks are: countries, autonomous systems and the organisations that run them. */
export default function Attribution() {
  const [namedSize, changeSize] = useParameter('size')
  const [namedScope, changeScope] = useParameter('scope')
  const [namedPeriod, changePeriod] = useParameter('days')
  const size = choice(SIZES, namedSize, '20')
  const scope = choice(['malicious', 'all'], namedScope, 'malicious')
  const period = choice(PERIODS, namedPeriod, 'all')
  const malicious = scope === 'malicious'
  const [now] = useState(() => Date.now())
  const since = firstDay(period, now)
  const which = useMemo(() => ({ malicious, since }), [malicious, since])
  const { attribution, total, asked } = useAttribution(which)
  const lists = attribution && {
    country: attribution.country.slice(0, Number(size)),
    asn: attribution.asn.slice(0, Number(size)),
  }
  const nothing = lists && dimensions.every(({ id }) => lists[id].length === 0)
  return (
    <Page
      title="Attribution"
      about="Where IP addresses and networks are located, as reported or from the built-in IP database. Select a number to see its entities."
      controls={
        <Group gap="xs">
          <SegmentedControl
            aria-label="Last seen"
            size="sm"
            value={period}
            onChange={changePeriod}
            data={PERIODS.map((value) => ({ value, label: value === 'all' ? 'Any time' : `${value} days` }))}
          />
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
            disabled={lists === null || nothing === true}
            onClick={() =>
              lists && download(exportName(malicious, Date.now()), csv(EXPORT_COLUMNS, exportRows(lists, total, which)))
            }
          >
            CSV
          </Button>
        </Group>
      }
    >
      <QueryResult of={{ ...asked, data: lists ?? undefined }} loading={<Loading height={420} />}>
        {(lists) =>
          nothing ? (
            <NoLocations which={which} />
          ) : (
            <Stack gap="md">
              <Text size="sm" role="status">
                <Total total={total} which={which} />
              </Text>
              {dimensions.map((dimension) => (
                <DimensionPanel
                  key={dimension.id}
                  dimension={dimension}
                  buckets={lists[dimension.id]}
                  which={which}
                  total={total}
                  size={Number(size)}
                >
                  {dimension.id === 'country' && (
                    <CountryMap
                      buckets={attribution?.country ?? []}
                      malicious={malicious}
                      linkTo={(country) => searchLink(entitiesAt(dimension, country, which))}
                    />
                  )}
                </DimensionPanel>
              ))}
            </Stack>
          )
        }
      </QueryResult>
    </Page>
  )
}

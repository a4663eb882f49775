import { Stack, Title } from '@mantine/core'
import type { Index } from '../question/address.ts'
import { AggregationRows } from './AggregationRows.tsx'
import { GroupRows } from './GroupRows.tsx'
import type { Fault, SearchModel } from './model.ts'

type Props = { model: SearchModel; index: Index; change: (model: SearchModel) => void; fault: Fault }

/** Conditions and counts of an advanced search as rows. */
export function Builder({ model, index, change, fault }: Props) {
  return (
    <Stack gap="md">
      <Stack gap="xs" component="section" aria-labelledby="conditions">
        <Title order={2} size="h5" id="conditions">
          Conditions
        </Title>
        <GroupRows
          group={model.query}
          index={index}
          depth={0}
          fault={fault}
          change={(query) => change({ ...model, query })}
        />
      </Stack>
      <Stack gap="xs" component="section" aria-labelledby="counts">
        <Title order={2} size="h5" id="counts">
          Aggregations
        </Title>
        <AggregationRows
          aggregations={model.counts}
          index={index}
          depth={0}
          fault={fault}
          change={(counts) => change({ ...model, counts })}
        />
      </Stack>
    </Stack>
  )
}

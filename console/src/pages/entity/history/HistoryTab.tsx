import { Stack } from '@mantine/core'
import type { Details } from '../answers.ts'
import { Activity } from './Activity.tsx'
import { Records } from './Records.tsx'

/** The history of the entity: a timeline, and its kept reports. */
export function HistoryTab({ entity }: { entity: Details }) {
  return (
    <Stack gap="lg">
      <Activity days={entity.activity} />
      <Records entity={entity} />
    </Stack>
  )
}

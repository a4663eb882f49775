import { Stack } from '@mantine/core'
import type { Details } from '../answers.ts'
import { Activity } from './Activity.tsx'
import { Records } from './Records.tsx'

/** When there was something of it, and what. */
export function HistoryTab({ entity }: { entity: Details }) {
  return (
    <Stack gap="lg">
      <Activity days={entity.activity} />
      <Records entity={entity} />
    </Stack>
  )
}

import { SimpleGrid, Stack } from '@mantine/core'
import { Loading } from '../../parts/feedback/Loading.tsx'

/** The shape of the page while its figures are on their way. */
export function OverviewLoading() {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Loading height={92} />
        <Loading height={92} />
        <Loading height={92} />
        <Loading height={92} />
      </SimpleGrid>
      <Loading height={300} />
      <BreakdownsLoading />
    </Stack>
  )
}

export function BreakdownsLoading() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Loading height={320} />
      <Loading height={320} />
    </SimpleGrid>
  )
}

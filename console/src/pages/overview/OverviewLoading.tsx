import { SimpleGrid, Stack } from '@mantine/core'
import { Waiting } from '../../parts/feedback/Loading.tsx'

/** The shape of the page while its figures are on their way. */
export function FiguresWaiting() {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Waiting height={92} />
        <Waiting height={92} />
        <Waiting height={92} />
        <Waiting height={92} />
      </SimpleGrid>
      <Waiting height={300} />
      <BreakdownsWaiting />
    </Stack>
  )
}

export function BreakdownsWaiting() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Waiting height={320} />
      <Waiting height={320} />
    </SimpleGrid>
  )
}

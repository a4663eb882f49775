import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** There is nothing to show: why, and what to do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Paper withBorder p="lg" data-testid="nothing">
      <Stack gap="xs" align="center" ta="center">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
      </Stack>
    </Paper>
  )
}

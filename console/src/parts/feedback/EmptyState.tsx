import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The message for an empty page or list: the reason, and the next step. */
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

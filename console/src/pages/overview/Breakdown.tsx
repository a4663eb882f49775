import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type Props = {
  title: string
  /** Of which entities the numbers are. */
  scope: string
  id: string
  /** How many rows are left out at first. */
  more?: number
  children: ReactNode | ((all: boolean) => ReactNode)
}

/** A frame around one breakdown. */
export function Breakdown({ title, scope, id, more = 0, children }: Props) {
  const [all, setAll] = useState(false)
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby={id} data-testid={id}>
      <Group justify="space-between" gap={4} mb={4}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        <Text size="xs" c="dimmed" data-testid="scope">
          {scope}
        </Text>
      </Group>
      {typeof children === 'function' ? children(all) : children}
      {more > 0 && (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? 'Show fewer' : `Show ${more} more`}
        </Button>
      )}
    </Paper>
  )
}

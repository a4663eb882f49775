import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A term and its value, in a description list. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </Box>
  )
}

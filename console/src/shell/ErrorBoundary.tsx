import { Button, Code, Container, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'

/** The last resort: a page that failed in itself says so, and can be loaded again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Container size="sm" py="xl" role="alert">
        <Stack>
          <Title order={1}>This page failed to display</Title>
          <Text>No data was lost. Reload the page. If it fails again, report this error:</Text>
          <Code block>{error.message}</Code>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </Stack>
      </Container>
    )
  }
}

import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Page } from './Page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <Text>
        The address may be mistyped. Go to the{' '}
        <Anchor component={Link} href="/">
          overview
        </Anchor>{' '}
        or{' '}
        <Anchor component={Link} href="/search">
          search
        </Anchor>
        .
      </Text>
    </Page>
  )
}

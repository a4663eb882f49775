import { Anchor, Box, Button, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Page } from './Page.tsx'
import { SearchBox } from './SearchBox.tsx'

/** The page of an address that the console does not know; the server sends it with 404. */
export function NotFound() {
  // A tab that was opened at this address has nothing to go back to.
  const hasPast = history.length > 1
  return (
    <Page title="No such page">
      <Text>
        Harrier has no page at <span className="value">{location.pathname}</span>. The address may be mistyped, or from
        another version.
      </Text>
      <Group gap="sm">
        {hasPast && (
          <Button variant="default" onClick={() => history.back()}>
            Back
          </Button>
        )}
        <Button component={Link} href="/">
          Overview
        </Button>
      </Group>
      <Box maw={520}>
        <SearchBox label="Search Harrier for a value" />
      </Box>
      <Text size="sm" c="dimmed">
        The menu leads to all pages that you may open. The{' '}
        <Anchor href="/help/" inherit underline="always">
          documentation
        </Anchor>{' '}
        describes them.
      </Text>
    </Page>
  )
}

import { Anchor, Button, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Command } from '../../parts/copy/Command.tsx'
import { useCaller, useMay } from '../../session/caller.ts'
import { DemoLoad } from './DemoLoad.tsx'

/** The first steps, for a platform without entities that the caller may read. */
export function FirstSteps() {
  const signedIn = useCaller() !== null
  const mayReport = useMay('reporter')
  const mayLoad = useMay('auth_admin')
  return (
    <Stack gap="sm" data-testid="first-steps">
      <Text>
        {signedIn ? 'There are no entities yet.' : 'There are no public entities yet.'} Three ways to start:
        {!signedIn && (
          <>
            {' '}
            <Anchor component={Link} underline="always" href="/sign-in">
              sign in
            </Anchor>{' '}
            to see what your groups may read, or
          </>
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
        <Step title="Load the demonstration data">
          <Text size="sm">Two months of generated entities to explore. Run this next to the platform:</Text>
          <Command line="npm run harrier -- demo" />
          {mayLoad && <DemoLoad offered />}
        </Step>
        <Step title="Import a feed">
          <Text size="sm">Lists, CSV, MISP and STIX from files and URLs. To list all options, run:</Text>
          <Command line="npm run harrier -- feed import --help" />
        </Step>
        <Step title="Report manually">
          <Text size="sm">One address, domain, URL or hash at a time, with a reputation and tags.</Text>
          {mayReport ? (
            <Button component={Link} href="/report" variant="default" size="sm">
              Report an entity
            </Button>
          ) : (
            <Text size="sm" c="dimmed">
              {signedIn ? (
                'Your account lacks the role reporter.'
              ) : (
                <>
                  <Anchor component={Link} underline="always" href="/sign-in" size="sm">
                    Sign in
                  </Anchor>{' '}
                  as a reporter first.
                </>
              )}
            </Text>
          )}
        </Step>
      </SimpleGrid>
    </Stack>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" miw={0} component="section">
      <Stack gap="xs" align="stretch">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

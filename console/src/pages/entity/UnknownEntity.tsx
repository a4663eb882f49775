import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { useMay, useSignedIn } from '../../session/caller.ts'

/** No entity has this id, or the caller may not read it: the platform answers both alike. */
export function UnknownEntity({ id }: { id: string }) {
  const signedIn = useSignedIn()
  const mayReport = useMay('reporter')
  return (
    <Page title="Unknown entity">
      <EmptyState title="No entity that you may read has this id">
        <Text size="sm" className="value" mb="xs">
          {id.length > 200 ? `${id.slice(0, 200)}…` : id}
        </Text>
        <Anchor component={Link} href="/search" underline="always">
          Search for its value
        </Anchor>
        {mayReport && (
          <>
            , or{' '}
            <Anchor component={Link} href="/report" underline="always">
              report it
            </Anchor>
          </>
        )}
        {!signedIn && (
          <>
            , or{' '}
            <Anchor component={Link} href="/sign-in" underline="always">
              sign in
            </Anchor>{' '}
            to see the data of your groups
          </>
        )}
        .
      </EmptyState>
    </Page>
  )
}

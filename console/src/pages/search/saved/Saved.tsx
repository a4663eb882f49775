import { Button, Drawer, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBookmark } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useCaller, useSignedIn } from '../../../session/caller.ts'
import type { Go, SearchAddress } from '../question/address.ts'
import { NeedsTeam } from './NeedsTeam.tsx'
import { SavedList } from './SavedList.tsx'
import { SaveForm } from './SaveForm.tsx'

/** The caller's saved searches: save the present one; open, rename and delete the others. */
export function SavedSearches({ address, go }: { address: SearchAddress; go: Go }) {
  const [opened, { open, close }] = useDisclosure()
  const signedIn = useSignedIn()
  const caller = useCaller()
  return (
    <>
      <Button size="sm" variant="default" leftSection={<IconBookmark size={16} aria-hidden />} onClick={open}>
        Saved searches
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        title="Saved searches"
        closeButtonProps={{ 'aria-label': 'Close saved searches' }}
      >
        {caller && caller.customer === null ? (
          <NeedsTeam administrator={caller.administrator} />
        ) : signedIn ? (
          <Stack gap="md">
            <SaveForm address={address} />
            <SavedList
              openIt={(to) => {
                go(to)
                close()
              }}
            />
          </Stack>
        ) : (
          <Stack gap="sm" align="start">
            <Text size="sm">Saved searches are private to your account.</Text>
            <Button component={Link} href="/sign-in" size="sm">
              Sign in
            </Button>
          </Stack>
        )}
      </Drawer>
    </>
  )
}

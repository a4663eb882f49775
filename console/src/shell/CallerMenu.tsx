import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconLogout, IconUser, IconUserCircle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { client } from '../api/client.ts'
import { useCaller, useSignedIn } from '../session/caller.ts'
import { credentials, signOut } from '../session/session.ts'

/** Ends the session at the platform where there is one, and forgets the credentials here whatever it answers. */
async function leave(): Promise<void> {
  if (credentials()?.kind === 'bearer') await client.DELETE('/auth/v2/session').catch(() => undefined)
  signOut()
}

export function CallerMenu() {
  const signedIn = useSignedIn()
  const caller = useCaller()
  if (!signedIn)
    return (
      <Button component={Link} href="/sign-in" size="sm">
        Sign in
      </Button>
    )
  const name = caller ? caller.alias || caller.fullName || caller.email || 'Administrator' : 'Signed in'
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Signed in as ${name}`}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" data-testid="caller">
            {name}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} href="/account" leftSection={<IconUser size={16} aria-hidden />}>
          Account
        </Menu.Item>
        <Menu.Item onClick={leave} leftSection={<IconLogout size={16} aria-hidden />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

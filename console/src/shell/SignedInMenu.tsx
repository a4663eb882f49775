import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconDeviceLaptop, IconGauge, IconLogout, IconUser, IconUserCircle, IconUsers } from '@tabler/icons-react'
import { Link } from 'wouter'
import { nameOf, useCaller } from '../session/caller.ts'
import { leave } from '../session/leave.ts'

const ITEMS = [
  { href: '/account', label: 'Profile', icon: IconUser },
  { href: '/account/team', label: 'Team', icon: IconUsers },
  { href: '/account/limits', label: 'Limits', icon: IconGauge },
  { href: '/account/sessions', label: 'Sessions', icon: IconDeviceLaptop },
]

/** Who is signed in, the way to their account, and the way out. */
export default function SignedInMenu() {
  const caller = useCaller()
  const name = caller ? nameOf(caller) : 'Signed in'
  return (
    <Menu position="bottom-end" withinPortal width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Signed in as ${name}`}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate data-testid="caller">
            {name}
          </Text>
          {caller?.email && caller.email !== name && (
            <Text size="xs" truncate>
              {caller.email}
            </Text>
          )}
          <Text size="xs" truncate>
            {caller?.customer ? `${caller.customer.name} · ${caller.customer.role}` : 'No team'}
            {caller && !caller.session && ' · by key pair'}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        {ITEMS.map(({ href, label, icon: Icon }) => (
          <Menu.Item key={href} component={Link} href={href} leftSection={<Icon size={16} aria-hidden />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()} leftSection={<IconLogout size={16} aria-hidden />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

import { Checkbox, Group, Stack, TagsInput, Text } from '@mantine/core'
import type { Role } from '../../../session/caller.ts'

export type UserRights = { roles: Role[]; groups: string[] }

const ABOUT: Record<Role, string> = {
  user: 'runs scans',
  reporter: 'reports and comments',
  trusted: 'marks entities as well known; its reports have more weight',
  billing_admin: 'administers customers',
  compute_admin: 'deletes instances of all users',
  auth_admin: 'administers users and operates the platform',
}

const ROLES = Object.keys(ABOUT) as Role[]

type Props = {
  value: UserRights
  /** What single sign-on gives beside it: only the issuer takes it away. */
  mapped?: UserRights
  change: (value: UserRights) => void
  error?: string | undefined
}

const NONE: UserRights = { roles: [], groups: [] }

/** Roles, each with what it allows, and groups. */
export function Rights({ value, mapped = NONE, change, error }: Props) {
  return (
    <Stack gap="sm">
      <Checkbox.Group
        label="Roles"
        value={value.roles}
        onChange={(roles) => change({ ...value, roles: roles as Role[] })}
      >
        <Group gap="xs" mt={4} style={{ flexDirection: 'column', alignItems: 'start' }}>
          {ROLES.map((role) => (
            <Checkbox key={role} value={role} label={role} description={ABOUT[role]} />
          ))}
        </Group>
      </Checkbox.Group>
      <TagsInput
        label="Groups"
        description="What the user can read, and who can read the reports of the user. Groups of customers come only from team memberships."
        value={value.groups}
        onChange={(groups) => change({ ...value, groups })}
        error={error}
        maxTags={100}
        acceptValueOnBlur
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the groups' }}
      />
      {mapped.roles.length + mapped.groups.length > 0 && (
        <Text size="sm" c="dimmed">
          Single sign-on also gives {[...mapped.roles, ...mapped.groups].join(', ')}. Change that at the issuer.
        </Text>
      )}
    </Stack>
  )
}

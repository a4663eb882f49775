import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { formatAgo, formatInstant, RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { useNow } from '../../../parts/time/useNow.ts'
import { BoundBadges } from './BoundBadges.tsx'
import type { KeyPair } from './keys-api.ts'

export type KeyAction = 'narrow' | 'rotate' | 'delete'

const ACTIONS: { kind: KeyAction; label: string }[] = [
  { kind: 'narrow', label: 'Narrow' },
  { kind: 'rotate', label: 'Rotate' },
  { kind: 'delete', label: 'Delete' },
]

/** `held`: the caller is signed in with it. */
export function KeyRow({ pair, held, ask }: { pair: KeyPair; held: boolean; ask: (kind: KeyAction) => void }) {
  const { previousSecretUntil } = pair
  const now = useNow()
  return (
    <Table.Tr data-testid={`key-${pair.keyID}`}>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          {pair.keyName}
          {held && (
            <Badge variant="default" size="sm" tt="none">
              current
            </Badge>
          )}
          {!pair.verified && (
            <Badge variant="light" color="orange" autoContrast size="sm" tt="none">
              not verified
            </Badge>
          )}
          {previousSecretUntil !== null && previousSecretUntil * 1_000 > now && (
            <Badge
              variant="light"
              color="orange"
              autoContrast
              size="sm"
              tt="none"
              title={formatInstant(previousSecretUntil * 1_000)}
            >
              old secret ends {formatAgo(previousSecretUntil * 1_000, now)}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="sm" className="value">
          {pair.apiKey}
        </Text>
      </Table.Td>
      <Table.Td>
        <BoundBadges scopes={pair.scopes} groups={pair.groups} networks={pair.networks} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={pair.createdAt * 1_000} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {pair.expireAt === null ? 'never' : <RelativeTime at={pair.expireAt * 1_000} />}
      </Table.Td>
      <Table.Td>
        <Stack gap={4} align="stretch">
          {ACTIONS.map(({ kind, label }) => (
            <Button
              key={kind}
              size="compact-xs"
              variant={kind === 'delete' ? 'outline' : 'default'}
              {...(kind === 'delete' ? { color: 'red' } : {})}
              aria-label={`${label} ${pair.keyName} …`}
              onClick={() => ask(kind)}
            >
              {label} …
            </Button>
          ))}
        </Stack>
      </Table.Td>
    </Table.Tr>
  )
}

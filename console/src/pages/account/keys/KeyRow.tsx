import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'

export type Pair = {
  keyID: string
  keyName: string
  apiKey: string
  verified: boolean
  /** Unix seconds. */
  createdAt: number
  expireAt: number | null
}

/** `held`: the caller is signed in with it. */
export function KeyRow({ pair, held, remove }: { pair: Pair; held: boolean; remove: () => void }) {
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
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="sm" className="value">
          {pair.apiKey}
        </Text>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={pair.createdAt * 1_000} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {pair.expireAt === null ? 'never' : <RelativeTime at={pair.expireAt * 1_000} />}
      </Table.Td>
      <Table.Td>
        <Button
          size="compact-sm"
          variant="outline"
          color="red"
          aria-label={`Delete ${pair.keyName} …`}
          onClick={remove}
        >
          Delete …
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

import { Badge, Button, Group, Table } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { api } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'
import type { paths } from '../../../api/schema.d.ts'
import { formatInstant, RelativeTime } from '../../../parts/time/RelativeTime.tsx'

type Session = paths['/auth/v2/session/{id}']['get']['responses'][200]['content']['application/json']

/** `current`: it is the session of this page, which can be extended. */
export function SessionRow({ session, end }: { session: Session; end: () => void }) {
  const { sessionID, kind, verified, createdAt, expireAt, current } = session
  const refresh = useRefresh()
  const extend = api.useMutation('put', '/auth/v2/session/extend', {
    onSuccess: async (extended) => {
      notifications.show({
        title: 'Extended',
        message: `This session ends on ${formatInstant(extended.expireAt * 1_000)}.`,
      })
      await refresh('/auth/v2/sessions', '/auth/v2/session')
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Not extended', message: asProblem(error).message }),
  })
  return (
    <Table.Tr data-testid={`session-${sessionID}`}>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          {kind || 'Unnamed'}
          {current && (
            <Badge variant="light" autoContrast size="sm" tt="none">
              current
            </Badge>
          )}
          {!verified && (
            <Badge variant="light" color="orange" autoContrast size="sm" tt="none">
              not verified
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={createdAt * 1_000} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <RelativeTime at={expireAt * 1_000} />
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          <Button size="compact-sm" variant="outline" color="red" onClick={end}>
            End …
          </Button>
          {current && (
            <Button size="compact-sm" variant="default" loading={extend.isPending} onClick={() => extend.mutate({})}>
              Extend
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

import { Anchor, Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../../../api/client.ts'
import { RoleRequired } from '../../../parts/access/RoleRequired.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { useFocusBack } from '../../../parts/page/useFocusBack.ts'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { ScrollTable } from '../../../parts/tables/ScrollTable.tsx'
import { DestinationDetail } from './DestinationDetail.tsx'
import { DestinationForm } from './DestinationForm.tsx'
import { DIGESTS, isUnconfirmed, KINDS } from './destination-form.ts'

/** `/alerts/destinations?id=`: where alerts are sent, one of them, and a form for another. */
export default function Destinations() {
  return (
    <RoleRequired needs="user" purpose="To send alerts somewhere">
      <Body />
    </RoleRequired>
  )
}

function Body() {
  const [id, setId] = useParameter('id')
  const [making, setMaking] = useState(false)
  /** The secret of a new destination, which the platform shows once. */
  const [secret, setSecret] = useState<string | null>(null)
  const button = useFocusBack(making)
  const close = (): void => {
    setSecret(null)
    setId('')
  }
  if (id !== null) return <DestinationDetail key={id} id={id} secret={secret} setSecret={setSecret} close={close} />
  return (
    <Stack gap="lg">
      <Group>
        <Button ref={button} disabled={making} onClick={() => setMaking(true)}>
          New destination
        </Button>
      </Group>
      {making && (
        <DestinationForm
          done={(made) => {
            setMaking(false)
            if (made === null) return
            setSecret(made.secret ?? null)
            setId(made.id)
          }}
        />
      )}
      <List making={making} />
    </Stack>
  )
}

function List({ making }: { making: boolean }) {
  const answer = api.useQuery('get', '/api/alerts/v1/destinations')
  return (
    <QueryResult of={answer}>
      {({ items }) =>
        items.length === 0 ? (
          !making && (
            <EmptyState title="No destinations yet">
              Alerts are in the inbox only. Create a destination to have them sent.
            </EmptyState>
          )
        ) : (
          <ScrollTable label="Destinations" minWidth={560} columns={['Name', ['Kind', 100], 'Where', ['When', 180]]}>
            {items.map((one) => (
              <Table.Tr key={one.id} data-testid="destination">
                <Table.Td>
                  <Anchor
                    component={Link}
                    href={`/alerts/destinations?id=${one.id}`}
                    size="sm"
                    className="value"
                    ff="text"
                    underline="always"
                  >
                    {one.name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{KINDS[one.kind].label}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm" lineClamp={2}>
                    {one.url ?? one.email}
                  </Text>
                  {isUnconfirmed(one) && (
                    <Badge size="sm" variant="outline" color="yellow" c="var(--mantine-color-text)" tt="none">
                      not confirmed
                    </Badge>
                  )}
                </Table.Td>
                <Table.Td>{DIGESTS[one.digest]}</Table.Td>
              </Table.Tr>
            ))}
          </ScrollTable>
        )
      }
    </QueryResult>
  )
}

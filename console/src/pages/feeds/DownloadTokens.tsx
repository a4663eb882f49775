import { Alert, Button, Group, NumberInput, Stack, Table, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { useRefresh } from '../../api/refresh.ts'
import { Copyable } from '../../parts/copy/Copyable.tsx'
import { Confirm } from '../../parts/feedback/Confirm.tsx'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { ScrollTable } from '../../parts/tables/ScrollTable.tsx'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'

const DAYS = 90

/** Tokens with which devices read this feed alone. `made`: a new one, which is shown once. */
export function DownloadTokens({ id, made }: { id: string; made: (token: string) => void }) {
  const params = { params: { path: { id } } }
  const result = api.useQuery('get', '/api/feeds/v1/feeds/{id}/tokens', params)
  const refresh = useRefresh()
  const create = api.useMutation('post', '/api/feeds/v1/feeds/{id}/tokens', {
    onSuccess: ({ token }) => {
      made(token)
      setName('')
      setDays(DAYS)
      setNetworks([])
      return refresh('/api/feeds/v1/feeds/{id}/tokens')
    },
  })
  const [name, setName] = useState('')
  const [days, setDays] = useState<number | string>(DAYS)
  const [networks, setNetworks] = useState<string[]>([])
  const [revoking, setRevoking] = useState<{ tokenID: string; name: string } | null>(null)

  async function revoke(tokenID: string): Promise<void> {
    await client.DELETE('/api/feeds/v1/feeds/{id}/tokens/{tokenID}', { params: { path: { id, tokenID } } })
    await refresh('/api/feeds/v1/feeds/{id}/tokens')
  }

  const body = { name: name.trim(), days: Number(days), ...(networks.length === 0 ? {} : { networks }) }
  const problem = create.error === null ? null : asProblem(create.error)
  const networkFault = problem?.param?.startsWith('networks') ? problem.message : null

  return (
    <Stack gap="xs">
      <QueryResult of={result}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              No device has a download token yet.
            </Text>
          ) : (
            <ScrollTable label="Download tokens" minWidth={460} columns={['Device', ['Ends', 140], 'From', ['', 100]]}>
              {items.map((one) => (
                <Table.Tr key={one.tokenID} data-testid="token">
                  <Table.Td>{one.name}</Table.Td>
                  <Table.Td>
                    <RelativeTime at={one.expireAt * 1_000} />
                  </Table.Td>
                  <Table.Td>{one.networks.length === 0 ? 'anywhere' : one.networks.join(', ')}</Table.Td>
                  <Table.Td>
                    <Button size="compact-xs" variant="outline" color="red" onClick={() => setRevoking(one)}>
                      Revoke …
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </ScrollTable>
          )
        }
      </QueryResult>
      <Group align="start" gap="sm" data-testid="token-form">
        <TextInput
          label="Device"
          placeholder="Edge firewall"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberInput label="Days" w={90} min={1} max={365} allowDecimal={false} value={days} onChange={setDays} />
        <TagsInput
          label="Networks"
          placeholder={networks.length === 0 ? 'anywhere' : ''}
          description="the token works only from these networks"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          splitChars={[',', ' ']}
          maxTags={100}
          value={networks}
          onChange={setNetworks}
          error={networkFault}
          miw={200}
        />
        <Button
          variant="default"
          mt={25}
          disabled={name.trim() === '' || days === ''}
          loading={create.isPending}
          onClick={() => create.mutate({ ...params, body })}
        >
          Create a download token
        </Button>
      </Group>
      {create.error && networkFault === null && <ErrorAlert error={create.error} />}
      {create.data && (
        <Alert color="blue" variant="light" title="Copy this token now" data-testid="new-token">
          <Text size="sm">It is shown only once. It gives access to this feed only.</Text>
          <Copyable value={create.data.token} what="the download token" />
        </Alert>
      )}
      {revoking && (
        <Confirm
          title={`Revoke the token of ${revoking.name}?`}
          action="Revoke"
          run={() => revoke(revoking.tokenID)}
          close={() => setRevoking(null)}
        >
          The device is refused from now on.
        </Confirm>
      )}
    </Stack>
  )
}

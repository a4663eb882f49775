import { Alert, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { useRefresh } from '../../api/refresh.ts'
import { Copyable } from '../../parts/copy/Copyable.tsx'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { type Header, WebhookFields } from './WebhookFields.tsx'

/** Requests a scan, and optionally a webhook call when the scan has ended. */
export function Schedule({ opened }: { opened: (id: string) => void }) {
  const [target, setTarget] = useState('')
  const [url, setUrl] = useState('')
  const [headers, setHeaders] = useState<Header[]>([])
  const refresh = useRefresh()
  const request = api.useMutation('post', '/api/ingest/v1/scan', {
    onSuccess: async ({ id }) => {
      opened(id)
      await refresh('/api/ingest/v1/scans', '/api/ingest/v1/admin/scans')
    },
  })
  const fault = request.error ? asProblem(request.error) : null
  const at = (param: string) => (fault?.param === param ? fault.message : undefined)
  const webhookHeaders = {
    ...(headers.length > 0 ? { headers: headers.map(({ key, value }) => ({ key, value })) } : {}),
  }
  const secret = request.data && 'webhookSecret' in request.data ? request.data.webhookSecret : undefined
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const webhook = url.trim() === '' ? {} : { webhook: { url: url.trim(), ...webhookHeaders } }
          if (!request.isPending) request.mutate({ body: { target: target.trim(), ...webhook } })
        }}
      >
        <Stack gap="sm">
          <Group align="start" gap="sm">
            <TextInput
              label="Address or host"
              placeholder="198.51.100.7 or www.example.com"
              value={target}
              onChange={(event) => setTarget(event.currentTarget.value)}
              error={at('target')}
              maxLength={1_000}
              autoComplete="off"
              spellCheck={false}
              w={{ base: '100%', sm: 380 }}
            />
            <Button type="submit" disabled={target.trim() === ''} loading={request.isPending} mt={{ base: 0, xs: 25 }}>
              Scan
            </Button>
          </Group>
          <WebhookFields url={url} setUrl={setUrl} headers={headers} setHeaders={setHeaders} fault={fault} />
          {fault && <ErrorAlert error={fault} />}
          {request.data && secret === undefined && (
            <Text size="sm" role="status">
              {request.data.status === 'new'
                ? 'The scan was requested. It is shown below.'
                : 'You have already requested this scan. It is shown below.'}
            </Text>
          )}
          {secret !== undefined && (
            <Alert color="yellow" variant="light" title="Copy this secret now" role="status">
              <Text size="sm">
                The platform signs the calls of this webhook with the secret. The secret is shown only once.
              </Text>
              <Copyable value={secret} what="the secret of the webhook" />
            </Alert>
          )}
        </Stack>
      </form>
    </Paper>
  )
}

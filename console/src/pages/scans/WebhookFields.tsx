import { Button, Collapse, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Problem } from '../../api/problem.ts'

/** `id` identifies the row while it is edited. */
export type Header = { id: number; key: string; value: string }

/** Enough for every use; the platform enforces its own limit. */
const MAX_HEADERS = 20

type Props = {
  url: string
  setUrl: (url: string) => void
  headers: Header[]
  setHeaders: (headers: Header[]) => void
  fault: Problem | null
}

/** The webhook to call when the scan has ended. */
export function WebhookFields({ url, setUrl, headers, setHeaders, fault }: Props) {
  const [wanted, setWanted] = useState(false)
  const at = (param: string) => (fault?.param?.startsWith(param) ? fault.message : undefined)
  const set = (index: number, part: Partial<Header>) =>
    setHeaders(headers.map((header, here) => (here === index ? { ...header, ...part } : header)))
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        w="fit-content"
        aria-expanded={wanted}
        onClick={() => {
          if (wanted) {
            setUrl('')
            setHeaders([])
          }
          setWanted(!wanted)
        }}
      >
        {wanted ? 'Remove the webhook' : 'Call a webhook when the scan ends'}
      </Button>
      <Collapse expanded={wanted}>
        <Stack gap="sm">
          <TextInput
            label="Webhook URL"
            placeholder="https://example.com/hook"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={at('webhook.url')}
            maxLength={2_048}
            autoComplete="off"
            w={{ base: '100%', sm: 480 }}
          />
          {headers.map(({ id, key, value }, index) => (
            <Group key={id} gap="sm" align="end">
              <TextInput
                label={`Name of header ${index + 1}`}
                value={key}
                onChange={(event) => set(index, { key: event.currentTarget.value })}
                error={at(`webhook.headers[${index}].key`)}
                maxLength={200}
              />
              <TextInput
                label={`Value of header ${index + 1}`}
                value={value}
                onChange={(event) => set(index, { value: event.currentTarget.value })}
                error={at(`webhook.headers[${index}].value`)}
                maxLength={2_000}
                autoComplete="off"
              />
              <Button
                variant="default"
                onClick={() => setHeaders(headers.filter((_, here) => here !== index))}
                aria-label={`Remove header ${index + 1}`}
              >
                Remove
              </Button>
            </Group>
          ))}
          <Button
            size="compact-sm"
            variant="default"
            w="fit-content"
            disabled={headers.length >= MAX_HEADERS}
            onClick={() =>
              setHeaders([...headers, { id: Math.max(0, ...headers.map(({ id }) => id + 1)), key: '', value: '' }])
            }
          >
            Add a header
          </Button>
        </Stack>
      </Collapse>
    </>
  )
}

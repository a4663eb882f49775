import { Code, Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Command } from '../../parts/copy/Command.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { DownloadTokens } from './DownloadTokens.tsx'
import type { Feed } from './form/selector-form.ts'
import { SNIPPETS } from './snippets.ts'

/** How a feed is read: its address in each format, tokens for devices, and lines for products. */
export function Downloads({ feed }: { feed: Feed }) {
  const [format, setFormat] = useState('text')
  const [product, setProduct] = useState<string | null>(null)
  /** A token that was made a moment ago stands in the addresses: it is not shown again. */
  const [token, setToken] = useState<string | null>(null)
  const formats = api.useQuery('get', '/api/feeds/v1/formats')
  const path = token === null ? `feeds/${feed.id}` : `t/${token}`
  const urlOf = (name: string): string => `${window.location.origin}/api/feeds/v1/${path}/items.${name}`
  const snippet = SNIPPETS.find((one) => one.product === product)
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        Download
      </Title>
      <QueryResult of={formats}>
        {(all) => (
          <Select
            label="Format"
            w={280}
            searchable
            allowDeselect={false}
            value={format}
            onChange={(name) => setFormat(name ?? 'text')}
            data={all.map(({ name }) => name)}
          />
        )}
      </QueryResult>
      <Command line={urlOf(format)} />
      <DownloadTokens id={feed.id} made={setToken} />
      <Select
        label="Lines for a product"
        placeholder="Choose a product"
        w={280}
        clearable
        value={product}
        onChange={setProduct}
        data={SNIPPETS.map((one) => one.product)}
      />
      {snippet && (
        <Stack gap={4} data-testid="snippet">
          <Text size="sm">{snippet.where}</Text>
          {token === null && !feed.open && (
            <Text size="sm" c="dimmed">
              The address needs a download token: make one above, and it stands in these lines.
            </Text>
          )}
          <Code
            block
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            tabIndex={0}
            aria-label={snippet.product}
          >
            {snippet.text(urlOf(snippet.format))}
          </Code>
        </Stack>
      )}
    </Stack>
  )
}
